"""The order in which candidate pages are shown."""

from __future__ import annotations

from apps.begin.turns import WaitingPage, next_turns


def test_kinds_take_turns_and_no_host_comes_twice_in_a_row() -> None:
    pages = [
        WaitingPage(1, "a", 0.9, 0.9),
        WaitingPage(2, "a", 0.8, 0.8),
        WaitingPage(3, "b", 0.5, 0.5),
        WaitingPage(4, "c", 0.1, 0.1),
        WaitingPage(5, "b", 0.7, 0.7),
    ]
    assert [each.key for each in next_turns(pages, 5)] == [1, 3, 4, 2, 5]


def test_a_single_host_goes_on() -> None:
    pages = [WaitingPage(1, "a", 0.9, 0.9), WaitingPage(2, "a", 0.8, 0.8)]
    assert [each.key for each in next_turns(pages, 5, last_host="a")] == [1, 2]


def test_a_kind_without_pages_passes_its_turn_on() -> None:
    pages = [WaitingPage(1, "a", 0.1, 0.1), WaitingPage(2, "b", 0.2, 0.2)]
    assert [each.key for each in next_turns(pages, 1, taken=0)] == [2]
