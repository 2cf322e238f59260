"""Parameters of a collection's address that cannot be understood, or contradict each other."""

from __future__ import annotations

from collections.abc import Iterator

from apps.collection.filters.catalogue import FILTERS
from apps.collection.filters.filter import Parameters
from apps.collection.filters.query import Filters, Order
from apps.collection.scope import Scope
from apps.schemas.misread import NO_WORD, Misread, misread_values
from apps.stored_pages.query_words import read_words

UNKNOWN_ORDER = f"is not an order; give one of {', '.join(Order)}"


def misread(query: Parameters, filters: Filters, scope: Scope) -> tuple[Misread, ...]:
    """The errors in a query string that `filters` were read from."""
    contradictions = (each for f, value in filters.active() for each in f.contradictions(value))
    return (*_unknown(query, scope), *contradictions)


def _unknown(query: Parameters, scope: Scope) -> Iterator[Misread]:
    for filter in FILTERS:
        for field in filter.fields:
            yield from misread_values(
                field.name, query.getlist(field.name),
                lambda t, f=filter, n=field.name: f.understood(n, t, scope),
                field.unknown or filter.unknown,
            )
    yield from misread_values("q", query.getlist("q"), _can_be_looked_for, NO_WORD)
    yield from misread_values(
        "order", query.getlist("order"), {*Order}.__contains__, UNKNOWN_ORDER
    )


def _can_be_looked_for(text: str) -> bool:
    """Whether what is typed is empty or has a word."""
    return not text.strip(" \0") or bool(read_words(text, ()))
