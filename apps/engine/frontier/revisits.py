"""The addresses that a crawl visits again, and those that it must leave for another time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apps.engine.answers import Headers

Marks = NDArray[np.uint64]


class DueAddress(NamedTuple):
    """An address to visit first, with the ETag and the Last-Modified of its last copy, if it had
    them. `is_list`: it is a sitemap or a feed. The last copy is page `seq` of crawl number `crawl`,
    0 if that is not known."""

    url: str
    etag: str = ""
    last_modified: str = ""
    is_list: bool = False
    crawl: int = 0
    seq: int = 0

    @property
    def headers(self) -> Headers:
        """The headers of a conditional request: the server sends no unchanged copy again."""
        etag = (("If-None-Match", self.etag),) if self.etag else ()
        modified = (("If-Modified-Since", self.last_modified),) if self.last_modified else ()
        return (*etag, *modified)


def mark_of(url: str) -> int:
    """Eight bytes that stand for a URL: among a million two are alike once in 30 million webs."""
    return int.from_bytes(blake2b(url.encode("utf-8", "replace"), digest_size=8).digest(), "little")


def marks_of(urls: Iterable[str]) -> Marks:
    """The marks of URLs, ascending."""
    return np.unique(np.fromiter(map(mark_of, urls), np.uint64))


@dataclass(frozen=True, slots=True)
class Revisits:
    """The start of a visit: the `due` addresses in order, instead of its topic's seeds. Other
    addresses with a mark in `met` (ascending) are not requested."""

    due: tuple[DueAddress, ...]
    met: Marks
    _by_url: Mapping[str, DueAddress] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_url", {address.url: address for address in self.due})

    def has_met(self, url: str) -> bool:
        """Whether an address is one that was had before and is not due."""
        if not self.met.size or url in self._by_url:
            return False
        mark = np.uint64(mark_of(url))
        position = int(self.met.searchsorted(mark))
        return position < len(self.met) and bool(self.met[position] == mark)

    def is_due(self, url: str) -> bool:
        """Whether an address is visited again."""
        return url in self._by_url

    def headers(self, url: str) -> Headers:
        """The additional headers of a request for an address."""
        due = self._by_url.get(url)
        return due.headers if due is not None else ()


NO_REVISITS = Revisits((), np.empty(0, np.uint64))
"""Those of a crawl that is no visit."""
