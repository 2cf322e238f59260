"""A search of a list, as it is in the query string: words, filters, order."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, Self, TypeVar
from urllib.parse import urlencode

from apps.schemas.misread import Misread, misread_values
from apps.search.filter import Filter, Parameters
from apps.search.panels import Panel
from apps.search.query import query_errors

LONGEST = 400
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter in use, and the query string without it."""

    words: str
    query: str


@dataclass(frozen=True, slots=True)
class Search:
    """A search. `chosen` holds the values of the filters that are set, by id; `order` is empty for
    the usual one; `context` is the list that is searched, for the filters that depend on it.

    Each list has a subclass with its catalogue of filters, its `orders` (titles by id), and the
    `prefixes` of its query language; `rows` is what it lists, as in "Filters of crawls".
    """

    rows: ClassVar[str]
    orders: ClassVar[Mapping[str, str]]
    prefixes: ClassVar[Sequence[str]] = ()

    words: str = ""
    chosen: Mapping[str, Any] = field(default_factory=dict)
    order: str = ""
    context: Any = None

    @classmethod
    @abstractmethod
    def catalogue(cls) -> Sequence[Filter[Any]]:
        """The filters of the list, in the order of the screen."""

    @classmethod
    def read(cls, query: Parameters, context: Any = None) -> Self:
        """The search of a query string; parameters that cannot be understood are ignored."""
        words = " ".join(query.get("q", "").replace("\0", " ").split())[:LONGEST]
        order = query.get("order", "")
        values = {filter: filter.within(context).read(query) for filter in cls.catalogue()}
        chosen = {f.id: value for f, value in values.items() if value != f.nothing}
        return cls(words, chosen, order if order in cls.orders else "", context)

    def within(self, context: Any) -> Self:
        """The same search of one list."""
        return replace(self, context=context)

    @property
    def filters(self) -> list[Filter[Any]]:
        """The filters for this list."""
        return [filter.within(self.context) for filter in self.catalogue()]

    @property
    def any(self) -> bool:
        """Whether it asks for something, in words or by a filter."""
        return bool(self.words or self.chosen)

    def of(self, filter: Filter[Value]) -> Value:
        """The value of one filter."""
        value: Value = self.chosen.get(filter.id, filter.nothing)
        return value

    def having(self, filter: Filter[Value], value: Value) -> Self:
        """The search with another value of one filter."""
        others = {id: other for id, other in self.chosen.items() if id != filter.id}
        if value == filter.nothing:
            return replace(self, chosen=others)
        return replace(self, chosen=others | {filter.id: value})

    def active(self) -> Iterator[tuple[Filter[Any], Any]]:
        """The filters that are set, each with its value, in the catalogue's order."""
        for filter in self.filters:
            if filter.id in self.chosen:
                yield filter, self.chosen[filter.id]

    def pairs(self) -> list[tuple[str, str]]:
        """The parameters of this search, in a fixed order."""
        words = [("q", self.words)] if self.words else []
        filters = [pair for filter, value in self.active() for pair in filter.pairs(value)]
        return words + filters + ([("order", str(self.order))] if self.order else [])

    def query(self) -> str:
        """The search as a query string."""
        return urlencode(self.pairs())

    def chips(self) -> list[Chip]:
        """Every filter in use, without the words."""
        return [
            Chip(words, self.having(filter, rest).query())
            for filter, value in self.active()
            for words, rest in filter.chips(value)
        ]

    def order_links(
        self, in_effect: str, possible: Mapping[str, bool]
    ) -> list[tuple[str, str, bool]]:
        """(title, query string, whether it is in effect) of each order that is possible."""
        return [
            (title, replace(self, order=order).query(), order == in_effect)
            for order, title in self.orders.items()
            if possible.get(order, True)
        ]

    def panels(self, counts: Mapping[str, Mapping[Any, int]]) -> list[Panel]:
        """The controls of the filters that have anything to choose, in the order of the screen;
        `counts` are the rows by value of each filter, by its id."""
        panels = (f.panel(self.of(f), counts.get(f.id, {})) for f in self.filters)
        return [panel for panel in panels if panel is not None]

    def misread(self, query: Parameters) -> tuple[Misread, ...]:
        """The errors in the query string that this search was read from."""
        return (*self._misread(query), *self._contradictions())

    def _misread(self, query: Parameters) -> Iterator[Misread]:
        for text in query.getlist("q"):
            for message in query_errors(text, self.prefixes):
                yield Misread("q", message)
        for filter in self.filters:
            for parameter in filter.fields:
                yield from misread_values(
                    parameter.name,
                    query.getlist(parameter.name),
                    partial(filter.understands, parameter.name),
                    parameter.unknown or filter.unknown,
                )
        yield from misread_values(
            "order", query.getlist("order"), self.orders.__contains__, self._unknown_order()
        )

    def _unknown_order(self) -> str:
        return f"is not an order of this list; give one of {', '.join(filter(None, self.orders))}"

    def _contradictions(self) -> Iterator[Misread]:
        for each, value in self.active():
            yield from each.contradictions(value)
