"""The order in which candidate pages are shown."""

from __future__ import annotations

from apps.begin.turns import Expectation, WaitingPage, kinds_in_turn, next_turns


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


def test_likely_noes_wait_while_only_a_yes_is_wanted() -> None:
    pages = [
        WaitingPage(1, "a", 0.1, 0.1),
        WaitingPage(2, "b", 0.9, 0.9),
        WaitingPage(3, "c", 0.5, 0.5),
        WaitingPage(4, "d", 0.8, 0.8),
    ]
    kinds = kinds_in_turn(more_yes=2, more_no=0)
    assert [each.key for each in next_turns(pages, 4, kinds=kinds)] == [2, 3, 4, 1]


def test_likely_pages_wait_while_only_a_no_is_wanted() -> None:
    pages = [WaitingPage(1, "a", 0.9, 0.9), WaitingPage(2, "b", 0.1, 0.1)]
    kinds = kinds_in_turn(more_yes=0, more_no=1)
    assert [each.key for each in next_turns(pages, 2, kinds=kinds)] == [2, 1]


def test_all_kinds_take_turns_when_both_are_wanted_or_none() -> None:
    assert kinds_in_turn(5, 3) == kinds_in_turn(0, 0) == tuple(Expectation)
