"""RIS, as reference managers export it: the address and the title of each reference."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apps.lists.formats.format import Choices
from apps.lists.table import Table, TableRow, limited

_TAG = re.compile(r"([A-Z][A-Z0-9])  -(?: (.*))?$")
_ADDRESSES = ("UR", "L1", "L2", "LK")
_TITLES = ("TI", "T1", "CT", "BT")


class Ris:
    id = "ris"
    title = "RIS references"

    def recognises(self, text: str) -> bool:
        return text.lstrip().startswith("TY  -")

    def read(self, text: str, choices: Choices) -> Table:
        read = tuple(limited(_references(text)))
        return Table(read, ("Address", "Title"), address_column=1, lines_in_all=len(read))


def _references(text: str) -> Iterator[TableRow]:
    """A row for each reference, without an address where it has none."""
    start, fields = 0, dict[str, str]()
    for line, content in enumerate(text.splitlines(), 1):
        tag = _TAG.match(content.rstrip())
        if tag is None:
            continue
        if tag[1] == "TY":
            start, fields = line, {}
        elif tag[1] == "ER":
            yield TableRow(start, (_first(fields, _ADDRESSES), _first(fields, _TITLES)))
            fields = {}
        else:
            fields.setdefault(tag[1], (tag[2] or "").strip())
    if fields:
        yield TableRow(start, (_first(fields, _ADDRESSES), _first(fields, _TITLES)))


def _first(fields: dict[str, str], tags: tuple[str, ...]) -> str:
    return next((fields[tag] for tag in tags if fields.get(tag)), "")
