"""A sitemap as plain text, with an address a line."""

from __future__ import annotations

from apps.engine.parsing.site_lists.site_list import MOST_ENTRIES, ListBody, SiteList, SiteListEntry


def read_text(source: ListBody) -> SiteList | None:
    """The sitemap; None unless each of its first lines is an address."""
    lines = [line.strip() for line in source.body.decode("utf-8-sig", "replace").splitlines()]
    lines = [line for line in lines if line]
    if not lines or not all(map(_is_address, lines[:5])):
        return None
    pages = tuple(SiteListEntry(line) for line in lines[:MOST_ENTRIES] if _is_address(line))
    return SiteList("sitemap", pages, (), "", len(lines), len(lines) > MOST_ENTRIES)


def _is_address(line: str) -> bool:
    return line.startswith(("http://", "https://")) and len(line) <= 2_048 and " " not in line
