"""The filters of a search as a screen offers and shows them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from apps.collection.facets import Facets
from apps.collection.filters.catalogue import FILTERS
from apps.collection.filters.panels import Bounds, Panel
from apps.collection.filters.query import Filters, Order
from apps.collection.scope import Scope

ORDERS = {
    Order.BEST: "Best match",
    Order.TOPICALITY: "Topicality",
    Order.STATUS: "Status",
    Order.NEWEST: "Newest",
    Order.DIFFER: "Crawls differ",
}


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter in use, and the query string without it."""

    words: str
    query: str


def panels(scope: Scope, filters: Filters, counts: Facets) -> list[Panel]:
    """The controls of the filters that have anything to choose, in the order of the screen."""
    found = (f.panel(filters.of(f), counts.of(f), scope) for f in FILTERS)
    return [panel for panel in found if panel is not None]


def fields_above(shown: Iterable[Panel]) -> list[str]:
    """The parameters whose errors are listed above the list: all but those typed in beside it."""
    beside = {name for panel in shown if isinstance(panel, Bounds) for name in panel.names}
    every = [field.name for filter in FILTERS for field in filter.fields]
    return [name for name in ["q", *every, "order"] if name not in beside]


def orders(scope: Scope, filters: Filters) -> list[tuple[str, str, bool]]:
    """(words, query string, whether it is in use); best match only if there are words, and only
    crawls of a collection of several can differ."""
    offered = {Order.BEST: bool(filters.words), Order.DIFFER: scope.several}
    return [
        (words, replace(filters, order=order).query(), order is filters.ordered)
        for order, words in ORDERS.items()
        if offered.get(order, True)
    ]


def chips(scope: Scope, filters: Filters) -> list[Chip]:
    """Every filter in use, without the words."""
    return [
        Chip(words, filters.having(filter, rest).query())
        for filter, value in filters.active()
        for words, rest in filter.chips(value, scope)
    ]
