from __future__ import annotations

import pytest

from apps.engine.codes import Exclusion
from apps.engine.frontier import revisits as module
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.revisits import NO_REVISITS, DueAddress, Revisits, marks_of
from apps.engine.frontier.scope import Scope
from apps.engine.frontier.url_states import UrlState

DUE = DueAddress("http://a.test/1", '"tag"', "Mon, 02 Nov 2026 09:00:00 GMT")
FEED = DueAddress("http://a.test/feed.xml", is_list=True)
MET = ("http://a.test/1", "http://a.test/2", "http://a.test/feed.xml")


def frontier() -> Frontier:
    made = Frontier(Scope())
    made.revisit(Revisits((DUE, FEED), marks_of(MET)))
    made.queue_due(0.0)
    return made


def test_the_addresses_that_are_due_wait_like_seeds() -> None:
    made = frontier()
    assert made.urls == [DUE.url, FEED.url]
    assert [made.state_of(number) for number in range(2)] == [UrlState.WAITING] * 2
    assert list(made.priority) == [1.0, 1.0]
    assert made.site_lists == {1}


def test_an_address_that_was_had_before_is_left_for_its_own_time() -> None:
    made = frontier()
    numbers = made.discover(("http://a.test/2", "http://a.test/3"), 0).tolist()
    assert made.state_of(numbers[0]) == UrlState.EXCLUDED
    assert made.excluded == {Exclusion.NOT_DUE: 1}
    assert made.state_of(numbers[1]) == UrlState.NEW


def test_a_list_that_was_had_before_is_not_queued_again() -> None:
    made = Frontier(Scope())
    made.revisit(Revisits((DUE,), marks_of(MET)))
    made.queue_due(0.0)
    assert made.queue_site_list("http://a.test/feed.xml", 0, 0.0) is None
    assert made.queue_site_list("http://a.test/other.xml", 0, 0.0) == 1


def test_a_request_has_the_conditions_of_the_last_copy() -> None:
    revisits = Revisits((DUE, FEED), marks_of(MET))
    assert revisits.headers(DUE.url) == (
        ("If-None-Match", '"tag"'),
        ("If-Modified-Since", "Mon, 02 Nov 2026 09:00:00 GMT"),
    )
    assert revisits.headers(FEED.url) == revisits.headers("http://a.test/9") == ()


def test_what_is_due_is_never_left_out() -> None:
    revisits = Revisits((DUE,), marks_of(MET))
    assert not revisits.has_met(DUE.url)
    assert revisits.has_met("http://a.test/2") and not revisits.has_met("http://a.test/9")


def test_no_address_is_hashed_in_a_crawl_that_is_no_visit(monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[str] = []
    monkeypatch.setattr(module, "mark_of", lambda url: hashed.append(url) or 0)
    assert not NO_REVISITS.has_met("http://a.test/9")
    assert hashed == []
