"""What is new since a person has marked all as seen."""

from __future__ import annotations

import pytest

from apps.watches.models import Observation, PageState, Watch, WatchVisit
from apps.watches.seen import mark_seen, news_counts, seen_until, undo_seen, was_visited
from tests.people import person
from tests.watch_fixtures import DAY, START, made_visit, see, visits, watch  # noqa: F401

pytestmark = pytest.mark.django_db


def test_news_is_counted_since_the_mark_of_each_person(
    watch: Watch, visits: list[WatchVisit]
) -> None:
    ada, eve = watch.owner, person("eve")
    assert news_counts(watch, seen_until(watch, ada)) == {
        "new": 1,
        "changed": 1,
        "gone": 1,
        "same": 1,
        "not_reached": 0,
    }
    mark_seen(watch, ada, START + 3 * DAY)
    # No visit since has seen that they are the same.
    assert not any(news_counts(watch, seen_until(watch, ada)).values())
    assert not was_visited(watch, seen_until(watch, ada))
    assert seen_until(watch, eve) == watch.created_at


def test_the_end_of_a_visit_whose_news_was_marked_is_no_other_visit(
    watch: Watch, visits: list[WatchVisit]
) -> None:
    last = Observation.objects.latest("at").at
    assert visits[1].ended_at is not None and last < visits[1].ended_at
    assert not was_visited(watch, last)
    made_visit(watch, 3)
    assert was_visited(watch, last)


def test_pages_that_nothing_reached_are_not_the_same(
    watch: Watch, visits: list[WatchVisit]
) -> None:
    third = made_visit(watch, 3, same_pages=1, not_reached_pages=2)
    states = ["same", "not_reached", "not_reached"]
    for page, state in zip(watch.pages.filter(is_watched=True)[:3], states, strict=True):
        see(third, page, PageState(state))
    since = visits[1].ended_at
    assert since is not None and was_visited(watch, since)
    counts = news_counts(watch, since)
    assert (counts["same"], counts["not_reached"]) == (1, 2)


def test_a_mark_is_taken_back_once(watch: Watch) -> None:
    ada = watch.owner
    mark_seen(watch, ada, START + DAY)
    mark_seen(watch, ada, START + 2 * DAY)
    mark_seen(watch, ada, START)  # an older page of another window
    assert seen_until(watch, ada) == START + 2 * DAY
    assert undo_seen(watch, ada)
    assert seen_until(watch, ada) == START + DAY
    assert undo_seen(watch, ada)
    assert not undo_seen(watch, ada)
    assert seen_until(watch, ada) == watch.created_at
