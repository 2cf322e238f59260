"""The filter by topicality τ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q

from apps.collection.models import BINS
from apps.search.filter import Counted, Field, Parameters
from apps.search.numbers import decimal
from apps.search.panels import Histogram, HistogramBar, Slider


@dataclass(frozen=True, slots=True)
class Twentieths:
    """From 0 to 20, the upper end excluded; 20 as the upper end includes τ = 1."""

    low: int = 0
    high: int = BINS


class Topicality(Counted[Twentieths]):
    """Filters by topicality τ, in steps of a twentieth."""

    id = "topicality"
    title = "Topicality τ"
    sentence = "From one topicality to another; the histogram shows where the pages lie."
    unknown = "is not a topicality; it lies between 0 and 1"
    fields = (
        Field("tau_from", "The least topicality, from 0 to 1.", float | None),
        Field("tau_to", "The topicality that pages are below, from 0 to 1.", float | None),
    )
    example = "tau_from=0.25&tau_to=0.75"
    columns = ("tau_bin",)
    nothing = Twentieths()

    def read(self, query: Parameters) -> Twentieths:
        """The ends may come in either order; there is at least one step between them."""
        ends = _twentieths(query, "tau_from", 0), _twentieths(query, "tau_to", BINS)
        low = min(*ends, BINS - 1)
        return Twentieths(low, max(*ends, low + 1))

    def pairs(self, value: Twentieths) -> Iterator[tuple[str, str]]:
        if value.low:
            yield "tau_from", f"{value.low / BINS:.2f}"
        if value.high < BINS:
            yield "tau_to", f"{value.high / BINS:.2f}"

    def understands(self, field: str, text: str) -> bool:
        value = decimal(text)
        return value is not None and 0 <= value <= 1

    def condition(self, value: Twentieths) -> Q:
        return Q(tau_bin__gte=value.low, tau_bin__lt=value.high)

    def holds(self, value: Twentieths, row: tuple[Any, ...]) -> bool:
        return value == self.nothing or value.low <= row[0] < value.high

    def values_of(self, row: tuple[Any, ...]) -> Iterable[int]:
        return row if row[0] >= 0 else ()

    def chips(self, value: Twentieths) -> Iterator[tuple[str, Twentieths]]:
        if value.low:
            yield f"τ ≥\u202f{value.low / BINS:.2f}", replace(value, low=0)
        if value.high < BINS:
            yield f"τ <\u202f{value.high / BINS:.2f}", replace(value, high=BINS)

    def panel(self, value: Twentieths, counts: Mapping[Any, int]) -> Histogram | None:
        if not counts and value == self.nothing:
            return None
        bars = tuple(_bar(step, value, counts) for step in range(BINS))
        ends = value.low / BINS, value.high / BINS
        return Histogram(self.title, ("tau_from", "tau_to"), ends, bars)

    def in_download(self, value: Twentieths, counts: Mapping[Any, int]) -> Slider:
        return Slider("tau_from", "τ at least", value.low / BINS)

    def beside_download(self, value: Twentieths) -> Twentieths:
        return replace(value, low=0)


def _bar(step: int, value: Twentieths, counts: Mapping[Any, int]) -> HistogramBar:
    pages, most = counts.get(step, 0), max(counts.values(), default=1)
    return HistogramBar(
        x=100 * step / BINS,
        height=pages / most,
        words=f"τ {step / BINS:.2f}–{(step + 1) / BINS:.2f}: {pages:,} pages",
        chosen=value.low <= step < value.high,
    )


def _twentieths(query: Parameters, name: str, otherwise: int) -> int:
    value = decimal(query.get(name, ""))
    return otherwise if value is None else min(BINS, max(0, round(value * BINS)))


TOPICALITY = Topicality()
