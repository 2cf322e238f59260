"""How often the interval of random answers holds the truth: made crawls."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from apps.research.effectiveness.starts.intervals import interval_share


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
    right = set(range(1, 401, 2))
    share = interval_share(pages(400, right), urls(right), "a")
    assert share is not None and 0.9 < share <= 1.0
    assert share == interval_share(pages(400, right), urls(right), "a")


def test_where_only_the_early_pages_are_right_no_interval_holds() -> None:
    # Eleven answers yes: the interval begins at .74, and the truth is .2.
    right = set(range(1, 201))
    assert interval_share(pages(1000, right), urls(right), "a") == 0.0


def test_too_few_pages_that_look_relevant_have_no_interval() -> None:
    assert interval_share(pages(4, {1}), urls({1}), "a") is None
    assert interval_share(pages(400, {1}, likely=0.2), urls({1}), "a") is None
