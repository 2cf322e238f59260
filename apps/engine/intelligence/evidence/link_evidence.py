"""Evidence on URLs from the texts of all pages that link to them, stored as sums."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.engine.model import Floats, Longs

_LINKS, PAGE, _WINDOW, _ANCHOR, _ADDRESS, _SECTION = range(6)
LEAST = 1024


class LinkEvidence:
    """The evidence on each URL, by number: how many pages link to it, the sums of the log-odds of
    these pages and of the windows and anchors of their links, the log-odds of the address' words,
    and the number of its site section. 48 bytes a URL.

    The last row is never written: it answers for every URL beyond it.
    """

    def __init__(self) -> None:
        self._rows: NDArray[np.float64] = np.zeros((LEAST, 6))
        self._size = 0

    def name(self, urls: Longs, addresses: Floats, sections: Longs) -> None:
        """Notes the log-odds of the addresses of URLs, and their sections."""
        self._reserve(urls)
        self._rows[urls, _ADDRESS] = addresses
        self._rows[urls, _SECTION] = sections

    def add(self, urls: Longs, texts: NDArray[np.float64]) -> None:
        """Adds a page's links to distinct `urls`, with the rows of `texts_of`."""
        self._reserve(urls)
        self._rows[urls, : _ANCHOR + 1] += texts

    def correct_page(self, urls: Longs, difference: float) -> None:
        """Adds to the log-odds of a page that links to distinct `urls`."""
        self._rows[urls, PAGE] += difference

    def change(self, urls: Longs, difference: NDArray[np.float64]) -> None:
        """Adds to the log-odds of what a page adds to its links to distinct `urls`; no links are
        counted (rows of `texts_of`, the first column 0)."""
        self._rows[urls, : _ANCHOR + 1] += difference

    def links(self, urls: Longs) -> Floats:
        """The number of pages that link to each URL."""
        links: Floats = self._rows[np.minimum(urls, len(self._rows) - 1), _LINKS]
        return links

    def read_addresses(self, urls: Longs, addresses: Floats) -> None:
        """Replaces the log-odds of the addresses of URLs."""
        self._rows[urls, _ADDRESS] = addresses

    def rows(self, urls: Longs) -> NDArray[np.float64]:
        """A copy of the evidence, a row per URL: links, three sums, address, section."""
        rows: NDArray[np.float64] = self._rows[np.minimum(urls, len(self._rows) - 1)]
        return rows

    def forget_texts(self) -> None:
        """Forgets links and texts, before every page is added again with other models."""
        self._rows[:, : _ANCHOR + 1] = 0.0

    def state(self) -> dict[str, Any]:
        return {"rows": self._rows[: self._size].copy()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores what `state` returned."""
        self._size = len(state["rows"])
        self._rows = np.zeros((max(LEAST, self._size + 1), 6))
        self._rows[: self._size] = state["rows"]

    def _reserve(self, urls: Longs) -> None:
        size = int(urls.max(initial=-1)) + 1
        if size >= len(self._rows):
            larger = np.zeros((max(size + 1, 2 * len(self._rows)), 6))
            larger[: self._size] = self._rows[: self._size]
            self._rows = larger
        self._size = max(self._size, size)


def texts_of(page: float, windows: Floats, anchors: Floats) -> NDArray[np.float64]:
    """The evidence that a page adds to each of its links: 1, then the log-odds of the page, the
    window and the anchor."""
    texts = np.empty((len(windows), _ANCHOR + 1))
    texts[:, _LINKS], texts[:, PAGE] = 1.0, page
    texts[:, _WINDOW], texts[:, _ANCHOR] = windows, anchors
    return texts


def with_page(texts: NDArray[np.float64], page: float) -> NDArray[np.float64]:
    """Rows of `texts_of` with other log-odds of the page."""
    changed = texts.copy()
    changed[:, PAGE] = page
    return changed


def means(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean log-odds of the parents, their windows and their anchors; 0 without parents."""
    links = np.maximum(rows[:, _LINKS : _LINKS + 1], 1.0)
    averages: NDArray[np.float64] = rows[:, PAGE : _ANCHOR + 1] / links
    return averages
