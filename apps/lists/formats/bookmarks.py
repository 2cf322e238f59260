"""Bookmarks of a browser, or any other HTML page: the address and the text of each link."""

from __future__ import annotations

import re

from lxml import etree

from apps.lists.formats.format import Choices
from apps.lists.limits import BadList
from apps.lists.table import Table, TableRow, limited

_START = re.compile(r"\s*<(?:!doctype|html|head|meta|title|h1|dl|ul|ol|p|div|a)\b", re.IGNORECASE)
_WEB = re.compile(r"\s*(?:https?:|//)", re.IGNORECASE)


class Bookmarks:
    id = "bookmarks"
    title = "Bookmarks or HTML"

    def recognises(self, text: str) -> bool:
        return _START.match(text) is not None

    def read(self, text: str, choices: Choices) -> Table:
        parser = etree.HTMLParser(no_network=True, encoding="utf-8")
        root = etree.fromstring(text.encode(), parser)
        if root is None:
            raise BadList("It is an empty HTML page. Choose a file with links.")
        links = (link for link in root.iter("a") if _WEB.match(link.get("href", "")))
        rows = (
            TableRow(link.sourceline or 0, (link.get("href", ""), _words(link))) for link in links
        )
        read = tuple(limited(rows))
        return Table(read, ("Address", "Title"), address_column=1, lines_in_all=len(read))


def _words(link: etree._Element) -> str:
    return " ".join("".join(link.itertext()).split())
