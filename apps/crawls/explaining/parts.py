"""The terms of a score as rows with bars, and as one sentence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.crawls.explaining.link_score import Explanation
from apps.engine.intelligence.strategies.terms import Term
from apps.figures.quantities import MINUS, listed, priority

NAMED = 3
SMALL = 0.05
"""A part of less is not worth a word: it is shown as ±0.0."""
BASE = "start"
"""The term that every link has, and that speaks neither for nor against one."""


@dataclass(frozen=True, slots=True)
class Part:
    """One term: its `title`, what it is (`says`), its `value`, and its value in figures.

    The bar begins at `left` and is `width` wide, as shares of the room for bars; None: no bar.
    """

    term: str
    title: str
    says: str
    value: float
    figures: str
    left: float | None = None
    width: float | None = None

    @property
    def against(self) -> bool:
        return self.value < 0


@dataclass(frozen=True, slots=True)
class Parts:
    """The rows, the `sum` of log-odds that they add up to (None: they do not add up), and where
    the bars' zero is, as a share of their room."""

    rows: tuple[Part, ...]
    sum: float | None
    zero: float

    @property
    def sum_figures(self) -> str:
        return "" if self.sum is None else added(self.sum)

    @property
    def chance(self) -> float | None:
        return None if self.sum is None else 1 / (1 + math.exp(-self.sum))


def parts(explanation: Explanation, more: Mapping[str, str]) -> Parts:
    """The parts of an explanation; `more` says of some terms what is known of this link."""
    if not explanation.sums_to:
        rows = (_share(t, v, explanation.said.get(t)) for t, v in explanation.terms.items())
        return Parts(tuple(rows), None, 0.0)
    values = list(explanation.terms.values())
    low, high = min(0.0, *values), max(0.0, *values)
    room = high - low or 1.0
    rows = (
        _added(t, v, explanation.said.get(t, Term(t, t)), more.get(t), low, room)
        for t, v in explanation.terms.items()
    )
    return Parts(tuple(rows), math.fsum(values), -low / room)


def _added(
    term: str, value: float, said: Term, more: str | None, low: float, room: float
) -> Part:
    left = (min(value, 0.0) - low) / room
    return Part(term, said.title, more or said.says, value, added(value), left, abs(value) / room)


def _share(term: str, value: float, said: Term | None) -> Part:
    drawn = 0 <= value <= 1 and (said is None or said.drawn)
    title, says = (term, "") if said is None else (said.title, said.says)
    bar = (0.0, value) if drawn else (None, None)
    return Part(term, title, says, value, f"{value:.2f}".replace("-", MINUS), *bar)


def added(value: float) -> str:
    """0.84 → +0.8, −3.36 → −3.4, 0.01 → ±0.0."""
    if abs(value) < SMALL:
        return "±0.0"
    return f"{'+' if value > 0 else MINUS}{abs(value):.1f}"


def sentence(explanation: Explanation, found: Parts, standing: float | None, waits: bool) -> str:
    """Why the link has its priority, `standing`, in one or two plain sentences."""
    if found.chance is not None:
        return _said_of_sum(explanation, found.chance, waits)
    shares = [part for part in found.rows if part.width is not None and part.says]
    if standing is None or not shares:
        return ""
    each = listed([f"{part.says} ({part.figures})" for part in shares])
    return f"Its priority {'is' if waits else 'was'} {priority(standing)}, by {each}."


def _said_of_sum(explanation: Explanation, chance: float, waits: bool) -> str:
    known = [(t, v) for t, v in explanation.terms.items() if t != BASE and abs(v) >= SMALL]
    known.sort(key=lambda pair: -abs(pair[1]))
    said = {t: f"{_says(explanation, t)} ({added(v)})" for t, v in known}
    favour = [said[term] for term, value in known if value > 0][:NAMED]
    against = [said[term] for term, value in known if value < 0][:NAMED]
    spoken = [f"{_then(favour)} counted most for it"] if favour else []
    spoken += [f"{listed(against)} counted against it"] if against else []
    first = "; ".join(spoken) or "nothing was known of it"
    first = f"when it was last ranked, {first}" if waits else first
    start = explanation.terms.get(BASE)
    base = "" if start is None else f"Any link of this crawl starts with {added(start)}; "
    end = f"{base}all together give {explanation.sums_to} of {chance:.2f}."
    return f"{first[0].upper()}{first[1:]}. {end[0].upper()}{end[1:]}"


def _says(explanation: Explanation, term: str) -> str:
    return explanation.said[term].says if term in explanation.said else term


def _then(words: Sequence[str]) -> str:
    """`a`; `a, then b and c`."""
    first, *others = words
    return f"{first}, then {listed(others)}" if others else first
