"""The share of relevant pages of a crawl whose stretches were asked about unevenly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.engine.evaluation.wilson import wilson_interval

FIRST_END = 50


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some successive pages of a crawl: how many of them look relevant (`pages`), and of how many
    of these, drawn at random, a person has said whether they are (`answered`, `right`)."""

    pages: int
    answered: int = 0
    right: int = 0


def stretch_of(seq: int) -> int:
    """The index of the stretch of a page: pages 1–50 are the first, 51–100 the second, 101–200 the
    third, and each further one is as long as all before it."""
    return max(0, ((seq - 1) // FIRST_END).bit_length())


def last_page_of(stretch: int) -> int:
    """The number of the last page of a stretch."""
    return FIRST_END << stretch


def coverage(stretches: Sequence[Stretch]) -> float:
    """Which share of the pages lies in stretches of which a page was answered."""
    every = sum(each.pages for each in stretches)
    return sum(each.pages for each in _answered_stretches(stretches)) / every if every else 0.0


def stratified_share(stretches: Sequence[Stretch]) -> float | None:
    """The share of relevant pages in the stretches that were asked about, each of which counts by
    its pages; None without answers."""
    asked = _answered_stretches(stretches)
    every = sum(each.pages for each in asked)
    return sum(each.pages * each.right / each.answered for each in asked) / every if every else None


def stratified_interval(stretches: Sequence[Stretch]) -> tuple[float, float] | None:
    """Between which shares that of all pages lies, in 95 of 100 cases; None without answers.

    In the stretches that were asked about it is Wilson's interval of the stratified share, for as
    many answers as a simple random sample would need for the same variance (Kish 1965, §8.2; Korn
    & Graubard 1998): 1/Σ w²/n for stretches of weight w with n answers. Of the other pages nothing
    is known: none may be relevant, or all.
    """
    share, covered = stratified_share(stretches), coverage(stretches)
    if share is None:
        return None
    answers = _effective_answers(_answered_stretches(stretches))
    interval = wilson_interval(share * answers, answers)
    assert interval is not None  # there are answers
    low, high = interval
    return covered * low, covered * high + (1 - covered)


def _answered_stretches(stretches: Sequence[Stretch]) -> list[Stretch]:
    """The stretches of which a page was answered."""
    return [each for each in stretches if each.answered and each.pages]


def _effective_answers(asked: Sequence[Stretch]) -> float:
    every = sum(each.pages for each in asked)
    return 1 / sum((each.pages / every) ** 2 / each.answered for each in asked)


def next_stretch(stretches: Sequence[Stretch], room: Sequence[int]) -> int | None:
    """The stretch that the next question is drawn from: the one with the most pages for each of its
    answers and the next, of those with `room`, pages that can be asked; None if none has."""

    def need_of(stretch: int) -> tuple[float, int]:
        return stretches[stretch].pages / (stretches[stretch].answered + 1), stretch

    free = (stretch for stretch, left in enumerate(room) if left > 0)
    return max(free, key=need_of, default=None)
