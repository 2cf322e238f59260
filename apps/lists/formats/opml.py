"""OPML, the subscriptions of feed readers: the page of each outline, not its feed."""

from __future__ import annotations

from apps.lists.formats import xml
from apps.lists.formats.format import Choices
from apps.lists.table import Table, TableRow, limited

FEED_ONLY = "feed:"
"""Before the address of an outline without a page."""


class Opml:
    id = "opml"
    title = "OPML"

    def recognises(self, text: str) -> bool:
        return xml.root_name(text) == "opml"

    def read(self, text: str, choices: Choices) -> Table:
        outlines = (e for e in xml.parse(text).iter() if xml.local_name(e) == "outline")
        rows = (
            TableRow(
                outline.sourceline or 0, (address, attributes.get("title") or attributes["text"])
            )
            for outline in outlines
            for attributes in [{"text": "", **{k.lower(): v for k, v in outline.attrib.items()}}]
            if (address := _address(attributes))
        )
        read = tuple(limited(rows))
        return Table(read, ("Address", "Title"), address_column=1, lines_in_all=len(read))


def _address(attributes: dict[str, str]) -> str:
    page = attributes.get("htmlurl") or attributes.get("url")
    if page:
        return page
    feed = attributes.get("xmlurl")
    return FEED_ONLY + feed if feed else ""
