"""A crawl uses what it was given and nothing beyond."""

from __future__ import annotations

from apps.engine.codes import StopReason
from apps.engine.crawl.limits import Limits


def test_a_crawl_begins_with_nothing_used():
    assert Limits(budget=1, request_limit=1).reached() is None
    assert Limits(budget=1, request_limit=1).leave_room(0)


def test_what_is_under_way_counts_against_pages_and_requests():
    assert Limits(budget=3, request_limit=9, pages=1).leave_room(1)
    assert not Limits(budget=3, request_limit=9, pages=1).leave_room(2)
    assert Limits(budget=9, request_limit=3, requests=1).leave_room(1)
    assert not Limits(budget=9, request_limit=3, requests=1).leave_room(2)


def test_the_limit_that_is_reached_is_named_and_pages_come_first():
    reached = {
        (pages, requests): Limits(3, 5, pages, requests).reached()
        for pages, requests in ((2, 4), (3, 4), (4, 4), (2, 5), (2, 6), (3, 5))
    }
    assert reached == {
        (2, 4): None,
        (3, 4): StopReason.BUDGET_REACHED,
        (4, 4): StopReason.BUDGET_REACHED,
        (2, 5): StopReason.REQUEST_LIMIT,
        (2, 6): StopReason.REQUEST_LIMIT,
        (3, 5): StopReason.BUDGET_REACHED,
    }
