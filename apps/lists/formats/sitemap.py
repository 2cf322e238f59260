"""Sitemaps: the address of each entry."""

from __future__ import annotations

from apps.lists.formats import xml
from apps.lists.formats.format import Choices
from apps.lists.table import Table, TableRow, limited

SITEMAP = "sitemap:"
"""Before the address of a sitemap that an index names."""
_BEFORE = {"urlset": "", "sitemapindex": SITEMAP}


class Sitemap:
    id = "sitemap"
    title = "Sitemap"

    def recognises(self, text: str) -> bool:
        return xml.root_name(text) in _BEFORE

    def read(self, text: str, choices: Choices) -> Table:
        root = xml.parse(text)
        before = _BEFORE[xml.local_name(root)]
        rows = (
            TableRow(entry.sourceline or 0, (before + xml.child_text(entry, "loc"),))
            for entry in root
            if xml.local_name(entry) in ("url", "sitemap")
        )
        read = tuple(limited(rows))
        return Table(read, ("Address",), address_column=1, lines_in_all=len(read))
