"""How often the interval of random answers holds the truth: made crawls."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from apps.research.effectiveness.starts.intervals import intervals_of


def pages(count: int, right: set[int], likely: float = 0.9) -> list[Any]:
    return [
        SimpleNamespace(
            seq=seq, topicality=likely, answer=SimpleNamespace(final_url=f"http://a.test/{seq}")
        )
        for seq in range(1, count + 1)
    ]


def urls(numbers: set[int]) -> set[str]:
    return {f"http://a.test/{number}" for number in numbers}


def test_where_the_early_pages_are_like_the_later_ones_most_intervals_hold() -> None:
    right = set(range(1, 201, 2))
    intervals = intervals_of(pages(200, right), urls(right), "a")
    assert intervals is not None and 0.9 < intervals.holds <= 1.0 and 0.4 < intervals.width < 0.6
    assert intervals == intervals_of(pages(200, right), urls(right), "a")


def test_where_only_the_first_pages_are_right_questions_reach_the_others() -> None:
    # Of all pages a quarter is right. Drawn from all first pages, two answers in three would be.
    right = set(range(1, 51))
    intervals = intervals_of(pages(200, right), urls(right), "a")
    assert intervals is not None and intervals.holds == 1.0


def test_pages_after_the_last_question_may_be_right_or_not() -> None:
    # Eleven answers yes among 200 pages: .74 to 1 of these, and nothing is known of 800.
    for right in (set(range(1, 201)), set(range(1, 1001))):
        intervals = intervals_of(pages(1000, right), urls(right), "a")
        assert intervals is not None and intervals.holds == 1.0 and intervals.width > 0.8


def test_too_few_pages_that_look_relevant_have_no_interval() -> None:
    assert intervals_of(pages(4, {1}), urls({1}), "a") is None
    assert intervals_of(pages(400, {1}, likely=0.2), urls({1}), "a") is None
