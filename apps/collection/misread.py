"""Parameters of an address that cannot be understood, or contradict each other.

A list ignores such values and says so; a download, whose content nobody would check, is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from apps.collection.filters.catalogue import FILTERS
from apps.collection.filters.filter import Misread, Parameters
from apps.collection.filters.query import Filters, Order
from apps.collection.scope import Scope
from apps.schemas.input import Refused
from apps.stored_pages.query_words import read_words

LONGEST = 40
NO_WORD = "has no word or number to look for"
UNKNOWN_ORDER = f"is not an order; give one of {', '.join(Order)}"


class SearchRefused(Refused):
    """A search that cannot be carried out; `field` and `message` as in Misread."""

    def __init__(self, misread: Misread) -> None:
        super().__init__(misread.field, misread.message)


def misread(query: Parameters, filters: Filters, scope: Scope) -> tuple[Misread, ...]:
    """The errors in a query string that `filters` were read from."""
    contradictions = (each for f, value in filters.active() for each in f.contradictions(value))
    return (*_unknown(query, scope), *contradictions)


def refuse_misread(query: Parameters, filters: Filters, scope: Scope) -> None:
    """Raises SearchRefused for the first error."""
    for first in misread(query, filters, scope):
        raise SearchRefused(first)


def _unknown(query: Parameters, scope: Scope) -> Iterator[Misread]:
    for filter in FILTERS:
        for field in filter.fields:
            yield from _named(
                query, field.name, lambda t, f=filter, n=field.name: f.understood(n, t, scope),
                field.unknown or filter.unknown,
            )
    yield from _named(query, "q", _can_be_looked_for, NO_WORD)
    yield from _named(query, "order", {*Order}.__contains__, UNKNOWN_ORDER)


def _can_be_looked_for(text: str) -> bool:
    """Whether what is typed is empty or has a word."""
    return not text.strip(" \0") or bool(read_words(text, ()))


def _named(
    query: Parameters, field: str, understood: Callable[[str], bool], unknown: str
) -> Iterable[Misread]:
    for value in query.getlist(field):
        if value and not understood(value):
            cut = f"{value[:LONGEST]}…" if len(value) > LONGEST else value
            yield Misread(field, f"“{cut}” {unknown}.")
