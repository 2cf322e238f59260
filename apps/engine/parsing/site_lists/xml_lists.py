"""Sitemaps, indexes of sitemaps, RSS and Atom: XML, read entry by entry.

No entity is expanded, no DTD loaded, and libxml2's limits on depth and size stay on. What stands
before a fault is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from lxml import etree

from apps.engine.parsing.site_lists.dates import plain_date
from apps.engine.parsing.site_lists.plain_words import plain_words
from apps.engine.parsing.site_lists.site_list import (
    LONGEST_TEXT,
    LONGEST_TITLE,
    MOST_ENTRIES,
    ListBody,
    SiteList,
    SiteListEntry,
)

_ROOTS = {
    "urlset": "sitemap",
    "sitemapindex": "sitemap",
    "rss": "feed",
    "rdf": "feed",
    "feed": "feed",
}
_ENTRIES = frozenset({"url", "sitemap", "item", "entry"})
_READ = tuple(f"{{*}}{name}" for name in (*_ENTRIES, "title"))
_TITLES = ("title",)
_TEXTS = ("description", "summary", "content", "encoded", "caption", "keywords")
_DATES = ("lastmod", "updated", "pubdate", "published", "date", "publication_date")


@dataclass(slots=True)
class _ListProgress:
    """The entries read so far."""

    root: str = ""
    title: str = ""
    pages: list[SiteListEntry] = field(default_factory=list)
    lists: list[SiteListEntry] = field(default_factory=list)


def read_xml(source: ListBody) -> SiteList | None:
    """The list; None for XML of another kind."""
    reading, is_cut = _ListProgress(), False
    try:
        for name, element in _ended(source.body, reading):
            if name in _ENTRIES:
                _take(reading, name, element, source)
                _drop(element)
            elif name == "title" and not reading.pages and not reading.title:
                reading.title = plain_words(element.text or "", LONGEST_TITLE)
            if len(reading.pages) + len(reading.lists) >= MOST_ENTRIES:
                is_cut = True
                break
    except etree.XMLSyntaxError:
        is_cut = True
    kind = _ROOTS.get(reading.root)
    if kind is None:
        return None
    named = len(reading.pages) + len(reading.lists)
    title = "" if kind == "sitemap" else reading.title
    return SiteList(
        "sitemap" if kind == "sitemap" else "feed",
        tuple(reading.pages),
        tuple(reading.lists),
        title,
        named,
        is_cut,
    )


def _ended(body: bytes, reading: _ListProgress) -> Iterator[tuple[str, Any]]:
    """The entries and titles as they end, by their local names; notes the root, and ends if it is
    of no list."""
    parser = etree.iterparse(
        BytesIO(body.lstrip()),
        tag=_READ,
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        recover=True,
        remove_comments=True,
        remove_pis=True,
    )
    for _, element in parser:
        if not reading.root:
            reading.root = _local(element.getroottree().getroot())
            if reading.root not in _ROOTS:
                return
        yield _local(element), element
    if not reading.root and parser.root is not None:  # a list without entries
        reading.root = _local(parser.root)


def _local(element: Any) -> str:
    tag = element.tag
    return tag.rpartition("}")[2].lower() if isinstance(tag, str) else ""


def _drop(element: Any) -> None:
    """Frees an entry that has been read, and those before it."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def _take(reading: _ListProgress, name: str, element: Any, source: ListBody) -> None:
    parts: dict[str, str] = {}
    links: list[Any] = []
    for child in element.iter(etree.Element):
        local = _local(child)
        if local == "link":
            links.append(child)
        elif child is not element and local not in parts:
            parts[local] = "".join(child.itertext())
    url = _address(name, parts, links)
    if not url:
        return
    date = next((parts[key] for key in _DATES if parts.get(key)), "")
    listed = SiteListEntry(
        url,
        plain_words(_first(parts, _TITLES), LONGEST_TITLE),
        plain_words(_first(parts, _TEXTS), LONGEST_TEXT),
        plain_date(date, source.fetched_at),
    )
    (reading.lists if name == "sitemap" else reading.pages).append(listed)


def _first(parts: dict[str, str], names: tuple[str, ...]) -> str:
    return next((parts[name] for name in names if parts.get(name, "").strip()), "")


def _address(name: str, parts: dict[str, str], links: list[Any]) -> str:
    """The address of an entry: a sitemap's `loc`, an item's `link`, an entry's alternate link, or
    a `guid` that is an address."""
    if name in ("url", "sitemap"):
        return parts.get("loc", "").strip()
    for link in links:
        is_page = (link.get("rel") or "alternate") == "alternate"
        address = (link.get("href") or link.text or "").strip()
        if is_page and address:
            return address
    guid = parts.get("guid", "").strip()
    return guid if guid.startswith(("http://", "https://")) else ""
