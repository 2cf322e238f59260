"""The order in which candidate pages are shown: likely, unsure and likely no in turns, never two of
one host in a row where another host has one. A kind whose answers suffice waits until the others
have no page, as long as answers of the other kind are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

LIKELY, UNLIKELY = 0.6, 0.35


class Expectation(StrEnum):
    """The expected answer for a page."""

    LIKELY = "likely"
    UNSURE = "unsure"
    LIKELY_NO = "likely no"


@dataclass(frozen=True, slots=True)
class WaitingPage:
    """A page that waits for its turn."""

    key: int
    host: str
    chance: float
    log_odds: float


def kind_of(chance: float) -> Expectation:
    if chance >= LIKELY:
        return Expectation.LIKELY
    return Expectation.UNSURE if chance >= UNLIKELY else Expectation.LIKELY_NO


def kinds_in_turn(more_yes: int, more_no: int) -> tuple[Expectation, ...]:
    """The kinds that take turns while so many more answers are wanted: likely no's none once only
    a yes is wanted, likely pages none once only a no is."""
    if more_yes and not more_no:
        return (Expectation.LIKELY, Expectation.UNSURE)
    if more_no and not more_yes:
        return (Expectation.UNSURE, Expectation.LIKELY_NO)
    return tuple(Expectation)


def next_turns(
    waiting: Sequence[WaitingPage],
    most: int,
    taken: int = 0,
    last_host: str = "",
    kinds: Sequence[Expectation] = tuple(Expectation),
) -> list[WaitingPage]:
    """The next pages to show after `taken` ones, the last of which is of `last_host`.

    A kind that has no page passes its turn on, last to kinds that take none. Likely pages come best
    first, unsure ones nearest to the middle first, others from the top.
    """
    rest = list(waiting)
    turns: list[WaitingPage] = []
    others = [kind for kind in Expectation if kind not in kinds]
    while rest and len(turns) < most:
        first = (taken + len(turns)) % len(kinds)
        chosen = _next_of(rest, [*kinds[first:], *kinds[:first], *others], last_host)
        turns.append(chosen)
        rest.remove(chosen)
        last_host = chosen.host
    return turns


def _next_of(
    rest: Sequence[WaitingPage], kinds: Sequence[Expectation], last_host: str
) -> WaitingPage:
    elsewhere = [each for each in rest if each.host != last_host] or list(rest)
    for kind in kinds:
        if of_kind := [each for each in elsewhere if kind_of(each.chance) is kind]:
            middle = (LIKELY + UNLIKELY) / 2
            return min(
                of_kind,
                key=lambda each: (
                    abs(each.chance - middle) if kind is Expectation.UNSURE else -each.log_odds,
                    each.key,
                ),
            )
    raise AssertionError("each page is of a kind")
