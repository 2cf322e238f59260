"""The terms of a score as rows with bars, and as one sentence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.crawls.explaining.link_score import Explanation
from apps.engine.intelligence.strategies.terms import ScoreTerm
from apps.figures.quantities import MINUS, join_names, priority

NAMED = 3
SMALL = 0.05
"""A part of less is not worth a word: it is shown as ±0.0."""
BASE = "start"
"""The term that every link has, and that speaks neither for nor against one."""
BASES = {
    "words": "By your words: the crawl has no examples to judge by. ",
    "self_taught": "By your words and what the crawl has taught itself from its pages. ",
    "examples": "",
    "words_and_vectors": "By your words and words used like them: the crawl has no examples to "
    "judge by. ",
    "self_taught_and_vectors": "By your words, words used like them and what the crawl has taught "
    "itself from its pages. ",
}
"""What judged the texts, by the codes of the engine."""


@dataclass(frozen=True, slots=True)
class TermBar:
    """One term: its `title`, what it is (`text`), its `value`, and its value in figures.

    The bar begins at `left` and is `width` wide, as shares of the room for bars; None: no bar.
    """

    term: str
    title: str
    text: str
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

    rows: tuple[TermBar, ...]
    sum: float | None
    zero: float

    @property
    def sum_figures(self) -> str:
        return "" if self.sum is None else added(self.sum)

    @property
    def chance(self) -> float | None:
        return None if self.sum is None else 1 / (1 + math.exp(-self.sum))


def parts(explanation: Explanation, more: Mapping[str, str]) -> Parts:
    """The parts of an explanation; `more` are the texts of some terms for this link."""
    if not explanation.sums_to:
        rows = (_share(t, v, explanation.legend.get(t)) for t, v in explanation.terms.items())
        return Parts(tuple(rows), None, 0.0)
    values = list(explanation.terms.values())
    low, high = min(0.0, *values), max(0.0, *values)
    room = high - low or 1.0
    rows = (
        _added(t, v, explanation.legend.get(t, ScoreTerm(t, t)), more.get(t), low, room)
        for t, v in explanation.terms.items()
    )
    return Parts(tuple(rows), math.fsum(values), -low / room)


def _added(
    term: str, value: float, meaning: ScoreTerm, more: str | None, low: float, room: float
) -> TermBar:
    left = (min(value, 0.0) - low) / room
    return TermBar(
        term, meaning.title, more or meaning.says, value, added(value), left, abs(value) / room
    )


def _share(term: str, value: float, meaning: ScoreTerm | None) -> TermBar:
    drawn = 0 <= value <= 1 and (meaning is None or meaning.drawn)
    title, text = (term, "") if meaning is None else (meaning.title, meaning.says)
    bar = (0.0, value) if drawn else (None, None)
    return TermBar(term, title, text, value, f"{value:.2f}".replace("-", MINUS), *bar)


def added(value: float) -> str:
    """0.84 → +0.8, −3.36 → −3.4, 0.01 → ±0.0."""
    if abs(value) < SMALL:
        return "±0.0"
    return f"{'+' if value > 0 else MINUS}{abs(value):.1f}"


def sentence(explanation: Explanation, terms: Parts, standing: float | None, waits: bool) -> str:
    """Why the link has its priority, `standing`, in one or two plain sentences."""
    if terms.chance is not None:
        basis = BASES[explanation.basis]
        return f"{basis}{_sentence_of_sum(explanation, terms.chance, waits)}"
    shares = [part for part in terms.rows if part.width is not None and part.text]
    if standing is None or not shares:
        return ""
    each = join_names([f"{part.text} ({part.figures})" for part in shares])
    return f"Its priority {'is' if waits else 'was'} {priority(standing)}, by {each}."


def _sentence_of_sum(explanation: Explanation, chance: float, waits: bool) -> str:
    weighty = [(t, v) for t, v in explanation.terms.items() if t != BASE and abs(v) >= SMALL]
    weighty.sort(key=lambda pair: -abs(pair[1]))
    texts = {t: f"{_text(explanation, t)} ({added(v)})" for t, v in weighty}
    favour = [texts[term] for term, value in weighty if value > 0][:NAMED]
    against = [texts[term] for term, value in weighty if value < 0][:NAMED]
    spoken = [f"{_then(favour)} counted most for it"] if favour else []
    spoken += [f"{join_names(against)} counted against it"] if against else []
    first = "; ".join(spoken) or "nothing counted for or against it"
    first = f"when it was last ranked, {first}" if waits else first
    start = explanation.terms.get(BASE)
    base = "" if start is None else f"Any link of this crawl starts with {added(start)}; "
    end = f"{base}all together give {explanation.sums_to} of {chance:.2f}."
    return f"{first[0].upper()}{first[1:]}. {end[0].upper()}{end[1:]}"


def _text(explanation: Explanation, term: str) -> str:
    return explanation.legend[term].says if term in explanation.legend else term


def _then(words: Sequence[str]) -> str:
    """`a`; `a, then b and c`."""
    first, *others = words
    return f"{first}, then {join_names(others)}" if others else first
