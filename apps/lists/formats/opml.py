"""OPML, the subscriptions of feed readers: the page of each outline, not its feed."""

from __future__ import annotations

from collections.abc import Iterator

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
        read = tuple(limited(_rows(text)))
        return Table(read, ("Address", "Title"), address_column=1, lines_in_all=len(read))


def _rows(text: str) -> Iterator[TableRow]:
    """A row for each outline with an address; names of attributes count in any case."""
    for element in xml.parse(text).iter():
        if xml.local_name(element) == "outline":
            attributes = {name.lower(): value for name, value in element.attrib.items()}
            if address := _address(attributes):
                title = attributes.get("title") or attributes.get("text", "")
                yield TableRow(element.sourceline or 0, (address, title))


def _address(attributes: dict[str, str]) -> str:
    page = attributes.get("htmlurl") or attributes.get("url")
    if page:
        return page
    feed = attributes.get("xmlurl")
    return FEED_ONLY + feed if feed else ""
