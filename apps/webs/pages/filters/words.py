"""The filter by the number of words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from apps.figures.quantities import count, number_of
from apps.search.filter import Field
from apps.search.panels import HistogramBar
from apps.search.ranges import RangeFilter, Span
from apps.webs.pages.filters.page_filter import Limits, PageFilter, Select, count_ranges

STEPS = (0, 1, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)
"""Where the bars of the histogram begin; the last has no end."""
BARS: dict[str, Limits] = {
    str(least): (least, most)
    for least, most in zip(STEPS, (*(step - 1 for step in STEPS[1:]), None), strict=True)
}
DIGITS = 9


@dataclass(frozen=True, slots=True)
class WordBars:
    """Pages by their words, with the two ends of the range in use ("": none) and the nearest
    positions on `steps`."""

    kind: ClassVar[str] = "word_bars"
    bars: tuple[HistogramBar, ...]
    steps: tuple[int, ...]
    ends: tuple[int | str, int | str]
    positions: tuple[int, int]

    @property
    def range(self) -> str:
        """`100–6,400`, `from 100`, `to 6,400`; empty without a limit."""
        least, most = (count(end) if isinstance(end, int) else end for end in self.ends)
        if least and most:
            return f"{least}–{most}"
        return f"from {least}" if least else f"to {most}" if most else ""


class Words(RangeFilter[int], PageFilter[Span[int]]):
    """Filters by the number of words in the text."""

    id = "words"
    title = "Words"
    sentence = "From one number of words to another."
    unknown = "is not a number of words"
    fields = (
        Field("words_from", "The least words.", int | None),
        Field("words_to", "The most words.", int | None),
    )
    example = "words_from=100&words_to=5000"
    column = "words"
    type = "number"
    words = ("from", "to")

    def parse(self, text: str) -> int | None:
        text = text.strip()
        return int(text) if text.isascii() and text.isdigit() and len(text) <= DIGITS else None

    def text(self, end: int) -> str:
        return str(end)

    def chip(self, end: int, upper: bool) -> str:
        return f"words {'≤' if upper else '≥'} {count(end)}"

    def contradiction(self, low: str, high: str) -> str:
        return f"No page has at least {count(int(low))} words and at most {count(int(high))}."

    def counts(self, select: Select) -> Mapping[str, int]:
        return count_ranges(select, BARS, "words", "pages ON number = page")

    def panel(self, value: Span[int], counts: Mapping[Any, int]) -> WordBars:  # type: ignore[override]
        highest = max(counts.values(), default=0) or 1
        bars = tuple(
            HistogramBar(
                x=i,
                height=counts.get(name, 0) / highest,
                words=_words(least, most, counts.get(name, 0)),
                chosen=_overlaps(value, least, most),
            )
            for i, (name, (least, most)) in enumerate(BARS.items())
        )
        chosen = [i for i, bar in enumerate(bars) if bar.chosen] or [0]
        return WordBars(
            bars, STEPS, (_as_text(value.low), _as_text(value.high)), (chosen[0], chosen[-1] + 1)
        )


def _as_text(end: int | None) -> int | str:
    return "" if end is None else end


def _overlaps(value: Span[int], least: int, most: int | None) -> bool:
    """Whether pages of a bar may be within the range."""
    begins_before = value.high is None or least <= value.high
    return begins_before and (most is None or most >= (value.low or 0))


def _words(least: int, most: int | None, pages: int) -> str:
    if most is None:
        return f"{count(least)} words and more: {number_of(pages, 'page')}"
    words = f"{count(least)}–{count(most)} words" if least else "no words"
    return f"{words}: {number_of(pages, 'page')}"


WORDS = Words()
