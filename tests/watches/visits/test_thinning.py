from __future__ import annotations

from datetime import timedelta

import pytest

from apps.watches.models import Watch, WatchedPage
from apps.watches.visits.thinning import bytes_of, thin_page, thin_watch
from tests.people import person
from tests.watch_fixtures import START, made_version, made_watched, watch  # noqa: F401

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(db):
    return person("ada")


def page_of(watch: Watch, path: str, versions: int, first_day: int = 0) -> WatchedPage:
    page = made_watched(watch, path, path)
    for number in range(1, versions + 1):
        at = START + timedelta(days=first_day + number)
        made_version(page, number, at, f"The text of version {number}.")
    return page


def numbers(page: WatchedPage) -> list[int]:
    return list(page.versions.order_by("number").values_list("number", flat=True))


def test_a_page_loses_its_oldest_but_the_first(watch: Watch) -> None:
    page = page_of(watch, "a", 6)
    assert thin_page(page, 4) == 2
    assert numbers(page) == [1, 4, 5, 6]
    assert thin_page(page, 4) == 0
    assert thin_page(page, 1) == 2 and numbers(page) == [1, 6]


def test_a_watch_loses_the_oldest_of_all_pages(watch: Watch) -> None:
    late, early = page_of(watch, "late", 4, first_day=10), page_of(watch, "early", 4)
    assert thin_watch(watch) == 0, "without a limit nothing is deleted"
    watch.most_bytes = bytes_of(watch) - 1
    assert thin_watch(watch) == 1
    assert (numbers(early), numbers(late)) == ([1, 3, 4], [1, 2, 3, 4])
    assert bytes_of(watch) <= watch.most_bytes


def test_the_first_and_the_last_stay_whatever_the_limit(watch: Watch) -> None:
    page, alone = page_of(watch, "a", 5), page_of(watch, "b", 1)
    watch.most_bytes = 1
    assert thin_watch(watch) == 3
    assert (numbers(page), numbers(alone)) == ([1, 5], [1])
