"""Finds the page of a URL by a sorted column of hashes, without reading all URLs into memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b

import numpy as np

from apps.engine.model import Ints, Longs
from apps.engine.replays.columns import Column


class UrlIndex:
    """The pages by URL; page i is at urls[number[i]]."""

    def __init__(self, hashes: Column, pages: Column, urls: Sequence[str], number: Column) -> None:
        self._hashes = hashes
        self._pages = pages
        self._urls = urls
        self._number = number
        self._last: tuple[str, int | None] = ("", None)

    def page(self, url: str) -> int | None:
        """The page at exactly this URL, or None."""
        if url != self._last[0]:
            self._last = (url, self._find(url))
        return self._last[1]

    def _find(self, url: str) -> int | None:
        wanted = _hash(url)
        position = int(self._hashes.searchsorted(wanted))
        while position < len(self._hashes) and self._hashes[position] == wanted:
            page = int(self._pages[position])
            if self._urls[int(self._number[page])] == url:
                return page
            position += 1
        return None


def index_columns(urls: Iterable[str]) -> tuple[Longs, Ints]:
    """The sorted hashes of the pages' URLs, and the pages in that order."""
    hashes = np.array([_hash(url) for url in urls], np.int64)
    order = np.argsort(hashes, kind="stable")
    return hashes[order], order.astype(np.int32)


def _hash(url: str) -> int:
    digest = blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)
