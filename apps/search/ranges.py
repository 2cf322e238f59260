"""Filters by a range of a column; either end may be open."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar

from django.db.models import Q

from apps.schemas.misread import Misread
from apps.search.filter import Filter, Parameters
from apps.search.panels import Bound, Bounds

End = TypeVar("End")


@dataclass(frozen=True, slots=True)
class Span(Generic[End]):
    """Both ends are included; None is open."""

    low: End | None = None
    high: End | None = None


class RangeFilter(Filter[Span[End]]):
    """A filter with two parameters, the lower end first. `type` is that of the input fields,
    `words` are their labels."""

    column: ClassVar[str]
    type: ClassVar[str]
    words: ClassVar[tuple[str, str]]
    nothing = Span()

    @abstractmethod
    def parse(self, text: str) -> End | None:
        """The end in a text, or None if it is not one."""

    @abstractmethod
    def text(self, end: End) -> str:
        """The text that `parse` turns back into this end."""

    @abstractmethod
    def chip(self, end: End, upper: bool) -> str:
        """One end in words."""

    @abstractmethod
    def contradiction(self, low: str, high: str) -> str:
        """The message if the lower end is above the upper one."""

    def read(self, query: Parameters) -> Span[End]:
        return Span(*(self.parse(query.get(field.name, "")) for field in self.fields))

    def pairs(self, value: Span[End]) -> Iterator[tuple[str, str]]:
        for field, end in zip(self.fields, (value.low, value.high), strict=True):
            if end is not None:
                yield field.name, self.text(end)

    def understands(self, field: str, text: str) -> bool:
        return self.parse(text) is not None

    def contradictions(self, value: Span[End]) -> Iterator[Misread]:
        low, high = value.low, value.high
        if low is not None and high is not None and low > high:  # type: ignore[operator]
            yield Misread(self.fields[0].name, self.contradiction(self.text(low), self.text(high)))

    def condition(self, value: Span[End]) -> Q:
        ends = {"gte": value.low, "lte": value.high}
        return Q(**{f"{self.column}__{by}": end for by, end in ends.items() if end is not None})

    def chips(self, value: Span[End]) -> Iterator[tuple[str, Span[End]]]:
        if value.low is not None:
            yield self.chip(value.low, upper=False), replace(value, low=None)
        if value.high is not None:
            yield self.chip(value.high, upper=True), replace(value, high=None)

    def panel(self, value: Span[End], counts: Mapping[Any, int]) -> Bounds:
        texts = dict(self.pairs(value))
        return Bounds(
            self.title,
            self.type,
            tuple(
                Bound(field.name, words, texts.get(field.name, ""))
                for field, words in zip(self.fields, self.words, strict=True)
            ),
        )
