"""Searches of a web's pages, by the values of their filters."""

from __future__ import annotations

from collections.abc import Sequence

from apps.search.host import HOST
from apps.search.ranges import Span
from apps.webs.pages.filters.inlinks import INLINKS
from apps.webs.pages.filters.label import LABEL
from apps.webs.pages.filters.topic import TOPIC
from apps.webs.pages.filters.words import WORDS
from apps.webs.pages.search import PageSearch


def page_search(
    words: str = "",
    *,
    labels: Sequence[str] = (),
    hosts: Sequence[str] = (),
    words_from: int | None = None,
    words_to: int | None = None,
    inlinks: Sequence[str] = (),
    topics: Sequence[int] = (),
    order: str = "",
) -> PageSearch:
    """The search with these values."""
    return (
        PageSearch(words, order=order)
        .having(LABEL, tuple(labels))
        .having(HOST, tuple(hosts))
        .having(TOPIC, tuple(topics))
        .having(WORDS, Span(words_from, words_to))
        .having(INLINKS, tuple(inlinks))
    )
