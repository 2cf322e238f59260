from __future__ import annotations

from django.utils import timezone

from apps.crawls.messages import REASONS
from apps.crawls.models import Crawl
from apps.engine.codes import State, StopReason
from apps.screens.crawls.row_state import SHORT, describe_state
from apps.screens.crawls.rows import MOST_ASKING, POINTS, crawl_rows, spaced
from apps.screens.live.state_badge import state_badge
from tests.crawl_rows import grow, made_crawl


def test_it_spaces_numbers_evenly_with_both_ends() -> None:
    assert spaced(3) == [1, 2, 3]
    assert spaced(1000)[0] == 1 and spaced(1000)[-1] == 1000
    assert len(spaced(1000)) == POINTS


def test_rows_carry_sparklines_of_one_scale(crawl: Crawl) -> None:
    grow(crawl, 500)
    low = grow(made_crawl(crawl.topic), 500, harvest_rate=0.1)
    high, lower = crawl_rows([crawl, low], crawl.owner)
    of_high, of_lower = high.sparklines[0], lower.sparklines[0]
    assert of_high.title == "Harvest rate"
    assert of_high.latest.startswith("6") and of_lower.latest.startswith("10")
    assert of_high.end_y < of_lower.end_y
    assert high.header.title == "Adaptive utility" and "δ = 0.7" in high.header.parameters


def test_a_crawl_between_two_samples_shows_its_measures_now(crawl: Crawl) -> None:
    grow(crawl, 200)
    crawl.pages, crawl.metrics = 207, {**crawl.metrics, "harvest_rate": 0.44}
    (row,) = crawl_rows([crawl], crawl.owner)
    assert row.sparklines[0].latest == "44 %"


def test_a_crawl_without_samples_has_none(crawl: Crawl) -> None:
    (row,) = crawl_rows([crawl], crawl.owner)
    assert {(line.points, line.latest) for line in row.sparklines} == {("", "–")}


def test_the_reason_of_a_crawl_at_rest_is_short(crawl: Crawl) -> None:
    for state, reason, words in (
        (State.FINISHED, StopReason.BUDGET_REACHED, "budget reached; 1,200 links still wait"),
        (State.FINISHED, StopReason.FRONTIER_EMPTY, "frontier empty after 1 page"),
        (State.PAUSED, StopReason.PAUSED_BY_USER, "at page 1; 1,200 links wait"),
        (State.PAUSED, StopReason.DISK_FULL, "disk nearly full. Free some space, then continue."),
    ):
        crawl.state, crawl.reason, crawl.pages, crawl.waiting = state, reason, 1, 1200
        assert describe_state(crawl, state_badge(crawl).reason, timezone.now()) == words
    assert set(SHORT) <= set(REASONS)


def test_it_asks_the_same_number_of_queries_however_many_crawls(
    owner, crawl: Crawl, django_assert_max_num_queries
) -> None:
    grow(crawl, 100)
    others = [grow(made_crawl(crawl.topic), 100) for _ in range(4)]
    crawls = list(
        Crawl.objects.select_related("topic", "web").filter(
            pk__in=[crawl.pk, *(other.pk for other in others)]
        )
    )
    crawl_rows(crawls[:MOST_ASKING], owner)  # what these ask is remembered
    with django_assert_max_num_queries(6 + MOST_ASKING):
        crawl_rows(crawls, owner)


def test_recall_from_targets_and_estimated_recall_are_two_columns(crawl: Crawl) -> None:
    interval = {"estimated_recall_low": 0.3, "estimated_recall_high": 0.6, "relevant_soon": 3.0}
    grow(crawl, 200, target_recall=None, estimated_recall=0.4, **interval)
    vague = interval | {"estimated_recall_low": 0.01}
    other = made_crawl(crawl.topic)
    grow(other, 200, target_recall=None, estimated_recall=1.0, **vague)
    rows = crawl_rows([crawl, other], crawl.owner)
    first, second = ({line.title: line.latest for line in row.sparklines} for row in rows)
    assert (first["Target recall"], second["Target recall"]) == ("–", "–")
    assert first["Estimated recall"].startswith("40")
    assert second["Estimated recall"] == "–"


def test_a_crawl_of_pages_that_need_javascript_is_marked_in_its_row(crawl: Crawl) -> None:
    grow(crawl, 12, needs_javascript=12)
    crawl.state, crawl.reason = State.FINISHED, StopReason.FRONTIER_EMPTY
    words = describe_state(crawl, "", timezone.now())
    assert words == "frontier empty after 12 pages; 12 of them need JavaScript"
