"""RSS and Atom: the page of each entry, with its title."""

from __future__ import annotations

from lxml import etree

from apps.lists.formats import xml
from apps.lists.formats.format import Choices
from apps.lists.table import Table, TableRow, limited


class Feed:
    id = "feed"
    title = "Feed"

    def recognises(self, text: str) -> bool:
        return xml.root_name(text) in ("rss", "feed", "rdf")

    def read(self, text: str, choices: Choices) -> Table:
        entries = (e for e in xml.parse(text).iter() if xml.local_name(e) in ("item", "entry"))
        rows = (
            TableRow(entry.sourceline or 0, (_page(entry), xml.child_text(entry, "title")))
            for entry in entries
        )
        read = tuple(limited(rows))
        return Table(read, ("Address", "Title"), address_column=1, lines_in_all=len(read))


def _page(entry: etree._Element) -> str:
    links = [child for child in entry if xml.local_name(child) == "link"]
    for link in links:
        if link.get("href") and link.get("rel", "alternate") == "alternate":
            return str(link.get("href"))
    return next((link.text.strip() for link in links if link.text), "")
