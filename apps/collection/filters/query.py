"""A search of a collection, as it is in the query string: words, filters, order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, TypeVar
from urllib.parse import urlencode

from apps.collection.filters.catalogue import FILTERS
from apps.collection.filters.filter import Filter, Parameters

LONGEST = 400
Value = TypeVar("Value")


class Order(StrEnum):
    """The order of the pages found; best match needs words, `differ` several crawls: first come the
    pages that some crawls call relevant and others do not."""

    BEST = "best"
    TOPICALITY = "topicality"
    STATUS = "status"
    NEWEST = "newest"
    DIFFER = "differ"


@dataclass(frozen=True, slots=True)
class Filters:
    """A search. `chosen` holds the values of the filters that are set, by id."""

    words: str = ""
    chosen: Mapping[str, Any] = field(default_factory=dict)
    order: Order | None = None

    @property
    def ordered(self) -> Order:
        """The order in effect: best match only if there are words, else topicality."""
        order = self.order or (Order.BEST if self.words else Order.TOPICALITY)
        return Order.TOPICALITY if order is Order.BEST and not self.words else order

    @property
    def any(self) -> bool:
        """Whether it asks for something, in words or by a filter."""
        return bool(self.words or self.chosen)

    def of(self, filter: Filter[Value]) -> Value:
        """The value of one filter."""
        return self.chosen.get(filter.id, filter.nothing)

    def having(self, filter: Filter[Value], value: Value) -> Filters:
        """The search with another value of one filter."""
        others = {id: other for id, other in self.chosen.items() if id != filter.id}
        if value == filter.nothing:
            return replace(self, chosen=others)
        return replace(self, chosen=others | {filter.id: value})

    def active(self) -> Iterator[tuple[Filter[Any], Any]]:
        """The filters that are set, each with its value, in the catalogue's order."""
        for filter in FILTERS:
            if filter.id in self.chosen:
                yield filter, self.chosen[filter.id]

    def pairs(self) -> list[tuple[str, str]]:
        """The parameters of this search, in a fixed order."""
        found = [("q", self.words)] if self.words else []
        found += [pair for filter, value in self.active() for pair in filter.pairs(value)]
        return [*found, ("order", self.order.value)] if self.order else found

    def query(self) -> str:
        """The same as a query string."""
        return urlencode(self.pairs())


def read_filters(query: Parameters) -> Filters:
    """The search of a query string; parameters that cannot be understood are ignored."""
    words = " ".join(query.get("q", "").replace("\0", " ").split())[:LONGEST]
    order = next((o for o in Order if o == query.get("order", "")), None)
    values = {filter: filter.read(query) for filter in FILTERS}
    chosen = {f.id: value for f, value in values.items() if value != f.nothing}
    return Filters(words, chosen, order)
