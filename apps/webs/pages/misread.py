"""Parameters of a search of a web's pages that cannot be understood, or contradict each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apps.figures.quantities import count
from apps.schemas.misread import NO_WORD, Misread, misread_values
from apps.webs.pages.filters import INLINKS, Order, PageFilters, Parameters, is_number
from apps.webs.pages.query import read_typed

NO_NUMBER = "is not a number of words"
UNDERSTOOD: dict[str, tuple[Callable[[str], bool], str]] = {
    "words_from": (is_number, NO_NUMBER),
    "words_to": (is_number, NO_NUMBER),
    "inlinks": (INLINKS.__contains__, f"is not a number of in-links; give {', '.join(INLINKS)}"),
    "topic": (is_number, "is not the number of a topic"),
    "order": ({*Order}.__contains__, f"is not an order; give one of {', '.join(Order)}"),
}


def misread(query: Parameters, filters: PageFilters) -> tuple[Misread, ...]:
    """The errors in a query string that `filters` were read from."""
    return tuple(_found(query, filters))


def _found(query: Parameters, filters: PageFilters) -> Iterator[Misread]:
    yield from misread_values("q", [filters.words], _can_be_looked_for, NO_WORD)
    for field, (understood, unknown) in UNDERSTOOD.items():
        yield from misread_values(field, query.getlist(field), understood, unknown)
    least, most = filters.words_from, filters.words_to
    if least is not None and most is not None and least > most:
        yield Misread("words_from", f"No page has at least {count(least)} words and at most"
                      f" {count(most)}.")  # fmt: skip


def _can_be_looked_for(text: str) -> bool:
    typed = read_typed(text, "")
    return bool(typed.match or typed.avoid or any(part for part, _ in typed.parts))
