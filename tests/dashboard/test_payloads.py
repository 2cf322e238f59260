from __future__ import annotations

import json

from apps.crawls.models import Crawl
from apps.dashboard.fragments import fragments
from apps.dashboard.payloads import delta, snapshot
from apps.dashboard.readings import PAGES_SHOWN, read
from apps.dashboard.trajectory import Curve
from apps.engine.model import State, StopReason
from tests.crawl_rows import grow, made_event, made_host
from tests.dashboard.test_trajectory import spliced


def curves_of(message):
    """A message's splices as what is drawn on empty axes."""
    empty = {chart: [Curve([], [])] * len(s) for chart, s in message.curves.items()}
    return spliced(empty, message.curves)


def test_a_snapshot_is_plain_json_and_holds_everything(crawl: Crawl) -> None:
    grow(crawl, 120)
    made_event(crawl, 1, "delta", 50, value=0.7, before=0.8)
    made_event(crawl, 2, "trap", 60, rule="nothing_new", place="a.test/#", urls=3)
    made_event(crawl, 3, "trap", 60, rule="nothing_new", place="b.test/#", urls=5)
    made_host(crawl, "a.test", pages=100, relevant=60)
    message = snapshot(read(crawl.pk))
    plain = json.loads(message.json())
    assert (plain["kind"], plain["after"], plain["seq"]) == ("snapshot", 0, 12)
    assert plain["marks"] == [
        {"pages": 50, "letter": "δ", "times": 1}, {"pages": 60, "letter": "T", "times": 2},
    ]
    assert plain["status"]["delta"] == 0.7
    assert len(plain["rows"]) == PAGES_SHOWN and 'data-seq="120"' in plain["rows"][0]
    assert "a.test" in plain["fragments"]["hosts"]
    assert "Harvest rate after 120 pages" in plain["summaries"]["harvest"]


def test_deltas_after_a_snapshot_draw_what_a_later_snapshot_draws(crawl: Crawl) -> None:
    reading = read(crawl.pk)
    first, shown = snapshot(reading), fragments(reading)
    drawn, seq, page = curves_of(first), first.seq, reading.newest_page
    for pages in (35, 36, 480, 13_000):
        grow(crawl, pages)
        reading = read(crawl.pk, reading)
        message = delta(reading, seq, page, shown)
        assert message.after == seq
        drawn, seq, page = spliced(drawn, message.curves), message.seq, reading.newest_page
    late = snapshot(read(crawl.pk))
    assert drawn == curves_of(late)
    assert shown == late.fragments
    assert seq == late.seq == 1300


def test_a_snapshot_after_some_samples_brings_only_the_rest(crawl: Crawl) -> None:
    grow(crawl, 500)
    before = curves_of(snapshot(read(crawl.pk)))
    grow(crawl, 600)
    message = snapshot(read(crawl.pk), after=50)
    assert message.after == 50
    assert max(len(s.x) for s in message.curves["harvest"]) == 10
    assert spliced(before, message.curves) == curves_of(snapshot(read(crawl.pk)))


def test_a_page_that_claims_more_than_there_is_gets_everything(crawl: Crawl) -> None:
    grow(crawl, 50)
    assert snapshot(read(crawl.pk), after=99).after == 0


def test_nothing_new_is_no_message(crawl: Crawl) -> None:
    grow(crawl, 40)
    crawl.state, crawl.reason = State.PAUSED, StopReason.PAUSED_BY_USER
    crawl.save()
    reading = read(crawl.pk)
    shown = fragments(reading)
    assert delta(read(crawl.pk, reading), 4, 40, shown) is None


def test_a_delta_holds_only_the_pieces_that_changed(crawl: Crawl) -> None:
    grow(crawl, 40)
    reading = read(crawl.pk)
    shown = fragments(reading)
    Crawl.objects.filter(pk=crawl.pk).update(
        state=State.PAUSED, reason=StopReason.PAUSED_BY_USER
    )
    message = delta(read(crawl.pk, reading), 4, 40, shown)
    assert "Paused" in message.fragments["standing"]
    assert "frontier" not in message.fragments and message.rows == []


def test_hostile_titles_and_addresses_are_text(crawl: Crawl) -> None:
    from tests.crawl_rows import made_page

    made_page(
        crawl, 1, title="<script>alert(1)</script>", final_url='http://a.test/"onload="x'
    ).save()
    Crawl.objects.filter(pk=crawl.pk).update(
        queue_head=[{"url": "http://b.test/<img src=x onerror=y>", "priority": 1.0, "parents": 1,
                     "wait": 0}]
    )
    message = snapshot(read(crawl.pk))
    assert "<script" not in message.rows[0] and '"onload="' not in message.rows[0]
    assert "<img" not in message.fragments["frontier"]


def test_empty_charts_say_what_is_missing(crawl: Crawl) -> None:
    grow(crawl, 4)
    assert "First point after 10 pages" in snapshot(read(crawl.pk)).fragments["empty-harvest"]
    grow(crawl, 30, target_recall=None, targets=0, alpha=None, mean_tau=None, delta=None)
    pieces = snapshot(read(crawl.pk)).fragments
    assert "No targets on this topic" in pieces["empty-recall"]
    assert "Add targets" in pieces["empty-recall"]
    assert "This strategy has no α" in pieces["empty-alpha"]
    assert pieces["empty-harvest"] == ""


def test_a_crawl_that_is_gone_cannot_be_read(crawl: Crawl) -> None:
    pk = crawl.pk
    crawl.delete()
    assert read(pk) is None


def test_the_chart_of_status_says_where_its_counts_come_from(crawl: Crawl) -> None:
    given = {"of": "counted", "name": "<coast>", "examples": 8, "positives": 9}
    crawl.sources = {"inlinks": given}
    crawl.save(update_fields=["sources"])
    message = snapshot(read(crawl.pk))
    assert "counted in the recorded web &lt;coast&gt;, 8 of 9" in message.fragments[
        "caption-status"]
    assert "recorded web" not in message.fragments["caption-harvest"]
