from __future__ import annotations

import json
import random
import string
from dataclasses import replace
from datetime import datetime

import pytest

from apps.crawls.models import Crawl
from apps.engine.codes import State, StopReason
from apps.screens.live import payloads
from apps.screens.live.live_state import PAGES_SHOWN, QUEUE_SHOWN, read
from apps.screens.live.payloads import DELTA_BYTES, as_json, delta, first_shown, snapshot
from apps.screens.live.trajectory import TracePoints
from tests.crawl_rows import grow, made_event, made_host, made_page
from tests.screens.live.patch_reader import SentPieces
from tests.screens.live.test_trajectory import spliced


def whole(crawl: Crawl, after: int = 0, at: datetime | None = None):
    """All there is of the crawl now; by the clock of another reading, if that is given."""
    reading = read(crawl.pk)
    reading = replace(reading, at=at or reading.at)
    return snapshot(reading, first_shown(reading), after)


def opened(reading, shown) -> SentPieces:
    """What a page has that was opened now."""
    sent = SentPieces()
    sent.take(snapshot(reading, shown).plain())
    return sent


def no_splices(drawn):
    """What a message without curves does to those drawn."""
    return {chart: [None] * len(curves) for chart, curves in drawn.items()}


def curves_of(message):
    """A message's splices as what is drawn on empty axes."""
    empty = {chart: [TracePoints([], [])] * len(s) for chart, s in message.curves.items()}
    return spliced(empty, message.curves)


def test_a_snapshot_is_plain_json_and_holds_everything(crawl: Crawl) -> None:
    grow(crawl, 120)
    made_event(crawl, 1, "delta", 50, value=0.7, before=0.8)
    made_event(crawl, 2, "trap", 60, rule="nothing_new", place="a.test/#", urls=3)
    made_event(crawl, 3, "trap", 60, rule="nothing_new", place="b.test/#", urls=5)
    made_host(crawl, "a.test", pages=100, relevant=60)
    message = whole(crawl)
    plain = json.loads(as_json(message))
    assert (plain["kind"], plain["after"], plain["seq"]) == ("snapshot", 0, 12)
    assert plain["marks"] == [
        {"pages": 50, "letter": "δ", "times": 1},
        {"pages": 60, "letter": "T", "times": 2},
    ]
    assert plain["status"]["delta"] == 0.7
    assert len(plain["rows"]) == PAGES_SHOWN
    assert plain["rows"][0].startswith('<tr data-seq="120"')
    assert "a.test" in plain["fragments"]["hosts"]
    assert "Harvest rate after 120 pages" in plain["fragments"]["reading-harvest"]


def test_figures_are_those_of_the_pages_fetched_not_of_the_last_sample(crawl: Crawl) -> None:
    grow(crawl, 200)
    metrics = {**crawl.metrics, "harvest_rate": 91 / 207}
    Crawl.objects.filter(pk=crawl.pk).update(pages=207, metrics=metrics, commits=99)
    assert "44\u202f%" in whole(crawl).fragments["caption-harvest"]


def test_deltas_after_a_snapshot_draw_what_a_later_snapshot_draws(crawl: Crawl) -> None:
    reading = read(crawl.pk)
    shown = first_shown(reading)
    first = snapshot(reading, shown)
    sent = opened(reading, shown)
    drawn, seq = curves_of(first), first.seq
    for pages in (35, 36, 480, 13_000):
        grow(crawl, pages)
        reading = read(crawl.pk, reading)
        message = delta(reading, shown)
        assert message.after == seq
        drawn, seq = spliced(drawn, message.curves or no_splices(drawn)), message.seq
        sent.take(message.plain())
        while (more := delta(reading, shown)) is not None:
            sent.take(more.plain())
    late = whole(crawl, at=reading.at)
    assert drawn == curves_of(late)
    assert sent.pieces == late.fragments
    assert seq == late.seq == 1300


def test_a_snapshot_after_some_samples_brings_only_the_rest(crawl: Crawl) -> None:
    grow(crawl, 500)
    before = curves_of(whole(crawl))
    grow(crawl, 600)
    message = whole(crawl, after=50)
    assert message.after == 50
    assert max(len(s.x) for s in message.curves["harvest"] if s) == 10
    assert spliced(before, message.curves) == curves_of(whole(crawl))


def test_a_page_that_claims_more_than_there_is_gets_everything(crawl: Crawl) -> None:
    grow(crawl, 50)
    assert whole(crawl, after=99).after == 0


def test_nothing_new_is_no_message(crawl: Crawl) -> None:
    grow(crawl, 40)
    crawl.state, crawl.reason = State.PAUSED, StopReason.PAUSED_BY_USER
    crawl.save()
    reading = read(crawl.pk)
    assert delta(read(crawl.pk, reading), first_shown(reading)) is None


def test_a_delta_holds_only_the_pieces_that_changed(crawl: Crawl) -> None:
    grow(crawl, 40)
    reading = read(crawl.pk)
    shown = first_shown(reading)
    sent = opened(reading, shown)
    Crawl.objects.filter(pk=crawl.pk).update(state=State.PAUSED, reason=StopReason.PAUSED_BY_USER)
    rows, pieces = sent.take(delta(read(crawl.pk, reading), shown).plain())
    assert "Paused" in pieces["state-badge"]
    assert "frontier" not in pieces and rows == ""


def test_a_delta_has_the_rows_since_the_last_message(crawl: Crawl) -> None:
    grow(crawl, 40)
    reading = read(crawl.pk)
    shown = first_shown(reading)
    sent = opened(reading, shown)
    grow(crawl, 43)
    rows, _ = sent.take(delta(read(crawl.pk, reading), shown).plain())
    assert rows.count("<tr") == 3 and "".join(whole(crawl).rows).startswith(rows)


@pytest.mark.parametrize("pages", [1, 8, 16, 100])
def test_a_message_has_at_most_10_kb_at_any_speed_and_nothing_waits_long(
    crawl: Crawl, pages: int
) -> None:
    for n in range(12):
        made_host(crawl, f"host-number-{n}.demo.test", pages=40 + n, relevant=3 * n)
    for n in range(8):
        made_event(crawl, n + 1, "delta", 50 * n, value=0.7, before=0.8)
    advance(crawl, 500)
    reading = read(crawl.pk)
    shown = first_shown(reading)
    sent = opened(reading, shown)
    assert len(as_json(snapshot(reading, shown)).encode()) > 40_000
    for at in range(500 + pages, 500 + 10 * pages, pages):
        advance(crawl, at)
        reading = read(crawl.pk, reading)
        message = delta(reading, shown)
        assert len(as_json(message).encode()) <= DELTA_BYTES
        rows, _ = sent.take(message.plain())
        assert rows.startswith(f'<tr data-seq="{at}"')
        assert rows.count("<tr") >= min(pages, 16)
        assert {"map", "frontier", "hosts"} <= set(message.fragments) or pages > 16
        assert max(shown.late.values(), default=0) <= 3


def test_rows_leave_room_for_a_large_piece_that_has_waited(crawl: Crawl, monkeypatch) -> None:
    real, chance = payloads.fragments, random.Random(5)

    def with_a_large_one(state):
        return real(state) | {"large": "".join(chance.choices(string.ascii_letters, k=7_000))}

    monkeypatch.setattr(payloads, "fragments", with_a_large_one)
    advance(crawl, 500)
    reading = read(crawl.pk)
    shown = first_shown(reading)
    sent = opened(reading, shown)
    messages = []
    for at in range(516, 596, 16):
        advance(crawl, at)
        reading = read(crawl.pk, reading)
        messages.append(delta(reading, shown))
        assert sent.take(messages[-1].plain())[0].startswith(f'<tr data-seq="{at}"')
    assert max(len(as_json(message).encode()) for message in messages) <= DELTA_BYTES
    assert any("large" in message.fragments for message in messages)


def test_what_had_no_room_follows_although_nothing_else_is_new(crawl: Crawl, monkeypatch) -> None:
    grow(crawl, 40)
    reading = read(crawl.pk)
    shown = first_shown(reading)
    sent = opened(reading, shown)
    monkeypatch.setattr(payloads, "DELTA_BYTES", 0)
    grow(crawl, 90)
    reading = read(crawl.pk, reading)
    taken = []
    while (message := delta(reading, shown)) is not None:
        assert len(message.fragments) == 1 and not (taken and message.rows)
        taken += sent.take(message.plain())[1]
    assert len(taken) == len(set(taken)) > 5 and not shown.late
    assert sent.pieces == whole(crawl, at=reading.at).fragments


def address(number: int) -> str:
    words = "wheat rye spelt barley millet oats bran germ crumb crust".split()
    path = "-".join(words[number // 10**n % 10] for n in range(4))
    return f"http://host-number-{number % 12}.demo.test/articles/{path}.html"


def advance(crawl: Crawl, pages: int) -> None:
    """Brings a crawl to so many pages, all over the map; half of the queue's head is new."""
    before = crawl.pages
    grow(crawl, pages)
    for page in crawl.pages_fetched.filter(seq__gt=max(before, pages - PAGES_SHOWN)):
        page.topicality, page.status = page.seq % 97 / 97, page.seq % 89 / 89
        page.final_url = address(page.seq)
        page.title = f"Page {page.seq}: {page.final_url[30:-5]} and what else there is"
        page.save()
    head = [
        {
            "number": n,
            "url": address(n),
            "priority": 1 / n,
            "parents": n % 7,
            "wait": n % 3 * 0.7,
            "topicality": n % 83 / 83,
            "status": n % 79 / 79,
        }
        for n in range(pages, pages + QUEUE_SHOWN)
    ]
    Crawl.objects.filter(pk=crawl.pk).update(queue_head=head)
    for host in crawl.hosts.all()[: 1 + pages % 11]:
        host.pages, host.waiting = host.pages + 1, host.waiting + 1 + pages % 11
        host.save()


def test_hostile_titles_and_addresses_are_text(crawl: Crawl) -> None:
    made_page(
        crawl, 1, title="<script>alert(1)</script>", final_url='http://a.test/"onload="x'
    ).save()
    Crawl.objects.filter(pk=crawl.pk).update(
        queue_head=[
            {"url": "http://b.test/<img src=x onerror=y>", "priority": 1.0, "parents": 1, "wait": 0}
        ]
    )
    message = whole(crawl)
    assert "<script" not in message.rows and '"onload="' not in message.rows
    assert "<img" not in message.fragments["frontier"]


def test_empty_charts_name_what_is_missing(crawl: Crawl) -> None:
    grow(crawl, 4)
    assert "First point after 10 pages" in whole(crawl).fragments["empty-harvest"]
    grow(crawl, 30, target_recall=None, targets=0, alpha=None, mean_tau=None, delta=None)
    pieces = whole(crawl).fragments
    assert "No targets on this topic" in pieces["empty-recall"]
    assert "Add targets" in pieces["empty-recall"]
    assert "This strategy has no α" in pieces["empty-alpha"]
    assert pieces["empty-harvest"] == ""


def test_a_crawl_that_is_gone_cannot_be_read(crawl: Crawl) -> None:
    pk = crawl.pk
    crawl.delete()
    assert read(pk) is None


def test_the_chart_of_status_states_where_its_counts_come_from(crawl: Crawl) -> None:
    given = {"of": "counted", "name": "<coast>", "examples": 8, "positives": 9}
    crawl.inputs = {"inlinks": given}
    crawl.save(update_fields=["inputs"])
    message = whole(crawl)
    assert (
        "counted in the recorded web &lt;coast&gt;, 8 of 9" in message.fragments["caption-status"]
    )
    assert "recorded web" not in message.fragments["caption-harvest"]
