"""What is new since a person has marked all as seen."""

from __future__ import annotations

import pytest

from apps.watches.models import Watch, WatchVisit
from apps.watches.seen import mark_seen, news_counts, seen_until, undo_seen
from tests.people import person
from tests.watch_fixtures import DAY, START, visits, watch  # noqa: F401

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
    }
    mark_seen(watch, ada, START + 3 * DAY)
    assert news_counts(watch, seen_until(watch, ada)) == {
        "new": 0,
        "changed": 0,
        "gone": 0,
        "same": 3,
    }
    assert seen_until(watch, eve) == watch.created_at


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
