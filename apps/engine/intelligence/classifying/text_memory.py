"""What a classifier said of the texts around links, remembered for the next crawl of the pages.

As in `page_memory`, only what depends on the page and the model alone is remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apps.engine.model import Floats, PageKey

MOST_NUMBERS = 2_000_000
MOST_ADDRESSES = 200_000
TextKey = tuple[PageKey, int, int]
"""The page's key, the words around a link that count, and its number of links."""


@dataclass(frozen=True, slots=True)
class PageTexts:
    """The log-odds of a page's text, and of each link the window's (row 0) and the anchor's (1)."""

    page: float
    links: NDArray[np.float64]


class TextMemory:
    """The log-odds of pages' texts and of addresses. Emptied at two million numbers (16 MB) of
    pages, or at 200,000 addresses."""

    def __init__(self) -> None:
        self._pages: dict[TextKey, PageTexts] = {}
        self._addresses: dict[str, float] = {}
        self._numbers = 0

    def lookup(self, key: TextKey) -> PageTexts | None:
        """What was remembered of a page, or None."""
        return self._pages.get(key)

    def remember(self, key: TextKey, texts: PageTexts) -> None:
        """Remembers a page that was not remembered."""
        self._numbers += texts.links.size
        if self._numbers > MOST_NUMBERS:
            self._pages.clear()
            self._numbers = texts.links.size
        self._pages[key] = texts

    def addresses(self, urls: Sequence[str], score: Callable[[], Floats]) -> Floats:
        """The log-odds of the words of addresses, by `score` unless all were remembered."""
        remembered = [self._addresses.get(url) for url in urls]
        if None not in remembered:
            return np.array(remembered, np.float64)
        odds = score()
        self.remember_addresses(urls, odds)
        return odds

    def remember_addresses(self, urls: Sequence[str], odds: Floats) -> None:
        """Remembers the log-odds of addresses."""
        if len(self._addresses) + len(urls) > MOST_ADDRESSES:
            self._addresses.clear()
        self._addresses.update(zip(urls, odds.tolist(), strict=True))
