from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from apps.engine.codes import Failure
from apps.watches.models import PageState
from apps.watches.visits.states import DAY, Sighting, after_failure, is_notice, leads_to_start

NOON = datetime(2026, 11, 2, 12, tzinfo=UTC)
URL = "http://a.test/p/1.html"


def after(code: str, before: Sighting, at: datetime, final_url: str = URL) -> Sighting:
    return after_failure(code, URL, final_url, before, at)


@pytest.mark.parametrize("code", ("http_404", "http_410"))
def test_a_page_is_gone_if_it_is_missing_twice_a_day_apart(code: str) -> None:
    first = after(code, Sighting(PageState.SAME), NOON)
    assert first == (PageState.NOT_REACHED, code, NOON)
    assert after(code, first, NOON + timedelta(hours=23)).state == PageState.NOT_REACHED
    assert after(code, first, NOON + DAY) == (PageState.GONE, code, NOON)


@pytest.mark.parametrize("code", ("timeout", "dns", "http_500", "http_403", "robots"))
def test_a_page_that_is_not_reached_never_becomes_gone_by_waiting(code: str) -> None:
    seen = Sighting(PageState.SAME)
    for day in range(100):
        seen = after(code, seen, NOON + day * DAY)
    assert seen == (PageState.NOT_REACHED, code, None)


def test_a_failure_between_two_misses_does_not_reset_them() -> None:
    seen = after("http_404", Sighting(PageState.SAME), NOON)
    seen = after("timeout", seen, NOON + DAY)
    assert after("http_404", seen, NOON + 2 * DAY).state == PageState.GONE


def test_a_page_that_is_there_again_is_no_longer_missing() -> None:
    seen = after("http_404", Sighting(PageState.SAME), NOON)
    seen = after(Failure.NOT_MODIFIED, seen, NOON + DAY)
    assert seen == (PageState.SAME, Failure.NOT_MODIFIED, None)
    assert after("http_404", seen, NOON + 2 * DAY).state == PageState.NOT_REACHED


def test_an_address_that_leads_to_the_start_page_is_gone() -> None:
    seen = Sighting(PageState.SAME)
    assert after("redirect_to_known", seen, NOON, "http://a.test/").state == PageState.GONE
    assert after("redirect_to_known", seen, NOON, "http://a.test/q").state == PageState.SAME
    assert leads_to_start(URL, "http://a.test/index.html")
    assert not leads_to_start("http://a.test/", "http://www.a.test/")


def test_a_short_page_that_calls_itself_missing_is_a_soft_404() -> None:
    assert is_notice("Page not found", "Sorry, the page you are looking for is gone.", 10)
    assert not is_notice("Bread", "The recipe was not found in any book.", 900)
    assert not is_notice("Bread", "Flour and water.", 4)
