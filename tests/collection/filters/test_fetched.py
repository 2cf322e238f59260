"""A day is one of the reader's zone, as the screen shows it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.http import QueryDict
from django.utils import timezone

from apps.collection.search import CollectionSearch
from apps.collection.selectors import count
from tests.collection_fixtures import filler, store

# 00:09 of the 26th in Kolkata, 13:39 of the 25th in New York.
MOMENT = datetime(2026, 11, 25, 18, 39, tzinfo=UTC)
CASES = [
    ("UTC", "since=2026-11-25", 1),
    ("UTC", "since=2026-11-26", 0),
    ("Asia/Kolkata", "since=2026-11-26", 1),
    ("Asia/Kolkata", "since=2026-11-26&until=2026-11-26", 1),
    ("Asia/Kolkata", "until=2026-11-25", 0),
    ("Asia/Kolkata", "since=2026-11-27", 0),
    ("America/New_York", "since=2026-11-26", 0),
    ("America/New_York", "since=2026-11-25&until=2026-11-25", 1),
    ("America/New_York", "until=9999-12-31", 1),
]


@pytest.mark.parametrize(("zone", "query", "pages"), CASES)
def test_a_page_is_of_the_day_that_its_screen_shows(
    crawl, searched_by, owner, zone: str, query: str, pages: int
) -> None:
    store(crawl, {"title": "Midnight", "text": filler(0, "alpha"), "fetched_at": MOMENT})
    search = CollectionSearch.read(QueryDict(query))
    with timezone.override(zone):
        assert count(search.within(searched_by(owner))).pages == pages
