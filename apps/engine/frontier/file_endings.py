"""Learns from each host whether addresses that end like a file lead to web pages.

`/wiki/File:Sparrow.jpg` and `/package/chart.js` are web pages, `/images/sparrow.jpg` is none. The
Content-Type decides, so a few addresses of each kind are requested and the rest goes by them. A
kind is a host with the first folder, whether the name has a colon, and the ending. Three addresses
are tried of an ending that pages have as well, and two a host of all others together, so a gallery
costs no more than these.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

TRIALS = 3
BLIND_TRIALS = 2

# Folders whose entries are named after things, which may have a dot: packages, tags, people.
_NAMES = re.compile(
    r"/(?:wiki|w|tags?|tagged|topics?|packages?|pkg|projects?|users?|search|questions?|terms?|labels?"
    r"|categor(?:y|ies)|articles?|posts?|docs?|view|item|gems|crates|library|libraries)/",
    re.IGNORECASE,
)


class FileKind(NamedTuple):
    """Addresses of a host that are expected to lead to the same kind of body."""

    host: str
    folder: str
    is_named: bool
    ending: str


class FileEndings:
    """The kinds of a crawl's addresses that end like a file."""

    def __init__(self) -> None:
        self._tried: dict[FileKind, int] = {}
        self._pages: set[FileKind] = set()
        self._blind: dict[str, int] = {}

    def tries(self, url: str, host: str) -> bool:
        """Whether a new address is requested; counts it as tried if its kind is not known."""
        kind = _kind(url, host)
        if kind in self._pages:
            return True
        if _looks_like_a_page(url, kind):
            tried = self._tried[kind] = self._tried.get(kind, 0) + 1
            return tried <= TRIALS
        blind = self._blind[host] = self._blind.get(host, 0) + 1
        return blind <= BLIND_TRIALS

    def learn(self, url: str, host: str) -> bool:
        """Takes the kind of an address that led to a page for pages; whether that is new."""
        kind = _kind(url, host)
        is_new = kind not in self._pages
        self._pages.add(kind)
        return is_new

    def are_pages(self, url: str, host: str) -> bool:
        """Whether addresses of this kind have led to a page."""
        return _kind(url, host) in self._pages

    def state(self) -> dict[str, Any]:
        """The state as plain values."""
        return {
            "tried": [[*kind, times] for kind, times in self._tried.items()],
            "pages": [list(kind) for kind in sorted(self._pages)],
            "blind": list(self._blind.items()),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores what `state` returned."""
        self._tried = {FileKind(*kind): times for *kind, times in state["tried"]}
        self._pages = {FileKind(*kind) for kind in state["pages"]}
        self._blind = dict(state["blind"])


def _kind(url: str, host: str) -> FileKind:
    path = url.partition("://")[2].partition("?")[0].partition("/")[2]
    folder = path.partition("/")[0] if "/" in path else ""
    name = path.rpartition("/")[2]
    return FileKind(host, folder, ":" in name, name.rpartition(".")[2].lower())


def _looks_like_a_page(url: str, kind: FileKind) -> bool:
    return kind.is_named or _NAMES.search(url.partition("://")[2].partition("?")[0]) is not None
