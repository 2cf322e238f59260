"""Pages that name another address as their own, which the crawl has a page of already.

Two pages with the same rel=canonical are one page if their words are the same, or if the address of
the second differs from the canonical one in nothing but scheme and host, as that of a mirror does.
Nothing more is believed: many a site names its home page on all of its pages.
"""

from __future__ import annotations

from typing import Any

from apps.engine.frontier.page_text import mark_of
from apps.engine.model import Document

MOST_CANONICALS = 50_000
EDGE = 100


class Mirrors:
    """The canonical addresses of the newest pages, with the address and the words of the first
    page of each."""

    def __init__(self) -> None:
        self._first: dict[int, tuple[int, int]] = {}

    def is_copy(self, url: str, document: Document, has_canonical: bool) -> bool:
        """Whether the page at `url` is a copy of an earlier one; remembers it if not.

        `has_canonical`: the crawl has the page at its canonical address.
        """
        canonical = document.canonical
        if canonical is None:
            return False
        is_mirror = canonical != url and _path(canonical) == _path(url)
        if is_mirror and has_canonical:
            return True
        key, address = mark_of(canonical), mark_of(url)
        words = _mark_of_words(document)
        first = self._first.get(key)
        if first is None:
            self._first[key] = address, words
            if len(self._first) > MOST_CANONICALS:
                del self._first[next(iter(self._first))]
            return False
        return first[0] != address and (is_mirror or first[1] == words)

    def state(self) -> list[list[int]]:
        """The state as plain values."""
        return [[key, *first] for key, first in self._first.items()]

    def restore(self, state: Any) -> None:
        """Restores what `state` returned."""
        self._first = {key: (address, words) for key, address, words in state}


def _mark_of_words(document: Document) -> int:
    """A hash of the number of a page's words, and of those at its beginning and its end."""
    words, visible = document.words, document.visible
    first, last = words[: min(EDGE, visible)], words[max(0, visible - EDGE) : visible]
    return mark_of(" ".join((str(visible), *first, *last)))


def _path(url: str) -> str:
    return url.partition("://")[2].partition("/")[2]
