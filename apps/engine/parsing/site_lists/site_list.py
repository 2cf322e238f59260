"""The content of a sitemap or feed in any format, and the limits on reading one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

MOST_BYTES = 20 * 2**20
"""Bytes of a list once it is unpacked; what comes after them is not read."""
MOST_ENTRIES = 50_000
LONGEST_TITLE = 300
LONGEST_TEXT = 600

Kind = Literal["sitemap", "feed"]


class SiteListEntry(NamedTuple):
    """An entry: an address as written, its title and description in plain words, and its date as
    `2026-11-26`; empty where the list says nothing, or a date that cannot be."""

    url: str
    title: str = ""
    text: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class SiteList:
    """A sitemap or a feed. `pages` are its entries, `lists` the lists that an index names. `named`
    counts its entries even where fewer are left; `is_cut` is whether a limit ended its reading.
    `dated` are the addresses and dates of entries that a visit has met before."""

    kind: Kind
    pages: tuple[SiteListEntry, ...] = ()
    lists: tuple[SiteListEntry, ...] = ()
    title: str = ""
    named: int = 0
    is_cut: bool = False
    dated: tuple[tuple[str, str], ...] = ()

    def as_plain(self) -> dict[str, Any]:
        """The list as plain values."""
        return {
            "kind": self.kind,
            "title": self.title,
            "pages": [list(page) for page in self.pages],
            "lists": [list(one) for one in self.lists],
            "named": self.named,
            "cut": self.is_cut,
            "dated": [list(entry) for entry in self.dated],
        }

    @classmethod
    def of_plain(cls, plain: dict[str, Any]) -> SiteList:
        """The list that `as_plain` returned."""
        return cls(
            plain["kind"],
            tuple(SiteListEntry(*page) for page in plain["pages"]),
            tuple(SiteListEntry(*one) for one in plain["lists"]),
            plain["title"],
            plain["named"],
            plain["cut"],
            # Rows from before dates were stored have none.
            tuple((url, day) for url, day in plain.get("dated", ())),
        )


class ListBody(NamedTuple):
    """The body of a list, its address, and the Unix time at which it came."""

    body: bytes
    url: str
    fetched_at: float


Read = Callable[[ListBody], SiteList | None]
"""Reads a format; None if the body is in another."""
