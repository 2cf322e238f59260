from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.crawls.models import FailedRequest
from apps.engine.codes import Failure
from apps.engine.parsing.site_lists.site_list import SiteList
from apps.watches.addresses import key_of
from apps.watches.models import PageState, Watch, WatchedPage
from apps.watches.visits.list_dates import (
    DateRecord,
    chances_by_date,
    is_dated_later,
    learn_date,
    own_dates,
    take_dates,
)
from apps.watches.visits.planning import estimate, estimate_undated, plan_visit
from tests.watch_fixtures import START, made_visit, made_watch, made_watched

pytestmark = pytest.mark.django_db
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
# Visits are made at two o'clock: that of the fifth day sees what was edited until then.
VISITED = START + 5 * DAY
EDITED = "2026-11-08"


@pytest.fixture
def watch(owner: User) -> Watch:
    return made_watch(owner)


def watched(watch: Watch, path: str, visited: datetime = VISITED, **columns: object) -> WatchedPage:
    page = made_watched(watch, path, path)
    WatchedPage.objects.filter(pk=page.pk).update(
        key=key_of(page.url), visited_at=visited, **columns
    )
    page.refresh_from_db()
    return page


def list_in_visit(watch: Watch, number: int, *dated: tuple[WatchedPage, str]) -> None:
    """A visit whose crawl has read a sitemap that dates these pages."""
    visit, crawl = made_visit(watch, number), watch.pattern
    assert crawl is not None
    crawl.failed_requests.all().delete()
    dates = tuple((page.url, day) for page, day in dated)
    FailedRequest.objects.create(
        crawl=crawl,
        request=number,
        number=number,
        url="http://grants.test/sitemap.xml",
        final_url="http://grants.test/sitemap.xml",
        host="grants.test",
        kind=Failure.SITE_LIST,
        at=visit.began_at,
        site_list=SiteList("sitemap", dated=dates).as_plain(),
    )
    take_dates(visit, crawl)
    for page, _ in dated:
        page.refresh_from_db()


def test_a_page_dated_after_its_last_visit_comes_before_one_that_is_not(watch: Watch) -> None:
    plain, edited = watched(watch, "plain"), watched(watch, "edited")
    list_in_visit(watch, 7, (edited, EDITED), (plain, "2026-11-01"))
    assert edited.listed_at == datetime.fromisoformat("2026-11-09T00:00Z")
    assert (is_dated_later(edited), is_dated_later(plain)) == (True, False)
    ranked = estimate([plain, edited], VISITED + 3 * DAY, random.Random(1))
    assert [each.page for each in ranked] == [edited, plain]
    assert ranked[0].value == 0.5 and ranked[1].value < 0.1
    plan = plan_visit(watch, made_visit(watch, 8), VISITED + 3 * DAY)
    assert plan.due[0] == edited
    undated = estimate_undated([plain, edited], VISITED + 3 * DAY, random.Random(1))
    assert len({each.value for each in undated}) == 1 and undated[0].value < 0.1


def test_a_date_of_the_day_of_a_visit_speaks_of_what_came_before_the_list(watch: Watch) -> None:
    """The sitemap of a visit says nothing of what is edited after it."""
    page = watched(watch, "a", VISITED + timedelta(minutes=3))
    list_in_visit(watch, 5, (page, "2026-11-07"))
    assert page.listed_at == VISITED and not is_dated_later(page)
    # The same date again the day after is still that edit.
    list_in_visit(watch, 6, (page, "2026-11-07"))
    assert page.listed_at == VISITED and not is_dated_later(page)
    # Had the list not been read then, the edit might have come later that day.
    other = watched(watch, "b", VISITED + timedelta(minutes=3))
    list_in_visit(watch, 7, (other, "2026-11-07"))
    assert is_dated_later(other)


def test_a_date_in_the_future_is_none(watch: Watch) -> None:
    page = watched(watch, "a")
    list_in_visit(watch, 6, (page, "2026-11-09"))
    assert (page.listed_date, page.listed_at) == ("", None)


def test_the_date_that_most_pages_of_a_sitemap_have_is_its_own() -> None:
    today = [(f"http://a.test/{n}", "2026-11-20") for n in range(6)]
    assert own_dates(today) == []
    edited = ("http://a.test/x", "2026-11-21")
    assert own_dates([*today, edited]) == [edited]
    apart = [(f"http://a.test/{n}", f"2026-11-{10 + n}") for n in range(6)]
    assert own_dates(apart) == apart
    # Of a few pages, two may have been edited on one day.
    assert own_dates(today[:4]) == today[:4]


def test_a_sitemap_that_dates_all_pages_today_brings_none_forward(watch: Watch) -> None:
    pages = [watched(watch, f"{n}") for n in range(8)]
    list_in_visit(watch, 7, *((page, "2026-11-09") for page in pages))
    assert chances_by_date(pages) == {}


@pytest.mark.parametrize(
    "right, wrong, trust, room",
    [(0, 0, 1 / 2, 2), (0, 1, 1 / 3, 2), (0, 2, 1 / 4, 2), (0, 3, 1 / 5, 0), (3, 1, 4 / 6, 8)],
)
def test_trust_is_the_mean_of_a_beta_distribution(
    right: int, wrong: int, trust: float, room: int
) -> None:
    record = DateRecord(right, wrong)
    assert (record.trust, record.room) == (pytest.approx(trust), room)


def test_dates_that_do_not_hold_cost_four_requests_of_a_host(watch: Watch) -> None:
    """Two pages of each visit are asked for in vain, and after the second visit none."""
    pages = [watched(watch, f"{n}") for n in range(10)]
    asked = []
    for number in range(7, 12):
        day = [f"2026-11-{8 + (number - 7 + n) % 2:02}" for n in range(10)]
        list_in_visit(watch, number, *zip(pages, day, strict=True))
        chosen = [page for page in pages if page.pk in chances_by_date(pages)]
        asked.append(len(chosen))
        for page in chosen:
            learn_date(page, PageState.SAME)
            page.visited_at = START + number * DAY
            page.save()
    assert asked == [2, 2, 0, 0, 0]
    assert sum(page.dates_wrong for page in pages) == 4


def test_dates_that_hold_bring_more_pages_forward_and_one_host_speaks_for_itself(
    watch: Watch,
) -> None:
    late: dict[str, Any] = {"listed_date": EDITED, "listed_at": VISITED + DAY}
    good = [watched(watch, f"g{n}", **late) for n in range(9)]
    bad = [watched(watch, f"b{n}", host="bad.test", **late) for n in range(9)]
    good[0].dates_right, bad[0].dates_wrong = 2, 3
    chances = chances_by_date([*good, *bad])
    assert set(chances) == {page.pk for page in good[:6]}
    assert set(chances.values()) == {3 / 4}


@pytest.mark.parametrize(
    "state, counts",
    [
        (PageState.CHANGED, (1, 0)),
        (PageState.SAME, (0, 1)),
        (PageState.GONE, (0, 0)),
    ],
)
def test_only_a_page_that_was_dated_later_teaches(
    watch: Watch, state: PageState, counts: tuple[int, int]
) -> None:
    page = watched(watch, "a", listed_date=EDITED, listed_at=VISITED + HOUR)
    learn_date(page, state)
    assert (page.dates_right, page.dates_wrong) == counts
    page.visited_at = VISITED + 2 * HOUR
    learn_date(page, state)
    assert (page.dates_right, page.dates_wrong) == counts
