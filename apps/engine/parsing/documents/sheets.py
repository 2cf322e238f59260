"""The cells of an Excel workbook, row by row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any

from lxml import etree

from apps.engine.parsing.documents.archive import Archive, attribute, local_name
from apps.engine.parsing.documents.conversion import Conversion, TextPart
from apps.engine.parsing.documents.relations import relations_part

_DATE_FORMATS = frozenset({*range(14, 18), 22})
_QUOTED = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
_FIRST_DAY = date(1899, 12, 30)
_MOST_DAYS = 2_900_000


def read_sheets(
    archive: Archive, main: str, parts: Mapping[str, str], conversion: Conversion
) -> None:
    """Reads the sheets in their order; each is a page with its name as heading."""
    strings = [*_shared_strings(archive)]
    dates = _date_styles(archive)
    sheets = [*archive.root(main).iter("{*}sheet")]
    conversion.pages = len(sheets)
    for number, sheet in enumerate(sheets, 1):
        if not conversion.has_room():
            return
        conversion.begin_page(number)
        conversion.add([TextPart(sheet.get("name") or "")], "h2")
        part = parts.get(attribute(sheet, "id"), "")
        if part in archive.names:
            _read_sheet(archive, part, strings, dates, conversion)


def _read_sheet(
    archive: Archive, part: str, strings: list[str], dates: set[str], conversion: Conversion
) -> None:
    root = archive.root(part)
    links = _links(archive, part, root)
    for row in root.iter("{*}row"):
        if not conversion.has_room():
            return
        conversion.add_row(
            [TextPart(text, links.get(cell.get("r") or "", ""))]
            for cell in row.iter("{*}c")
            if (text := _value(cell, strings, dates))
        )


def _links(archive: Archive, part: str, root: Any) -> dict[str, str]:
    """The addresses of cells with a link."""
    relations = archive.root(relations_part(part))
    if relations is None:
        return {}
    addresses = {e.get("Id"): e.get("Target") or "" for e in relations.iter(etree.Element)}
    return {
        e.get("ref") or "": addresses.get(attribute(e, "id"), "") for e in root.iter("{*}hyperlink")
    }


def _value(cell: Any, strings: list[str], dates: set[str]) -> str:
    kind = cell.get("t") or "n"
    if kind == "inlineStr":
        return _text(cell)
    value = next((e.text or "" for e in cell if local_name(e) == "v"), "")
    if kind == "s":
        is_index = value.isascii() and value.isdigit() and int(value) < len(strings)
        return strings[int(value)] if is_index else ""
    return _day(value) if kind == "n" and cell.get("s") in dates else value


def _day(value: str) -> str:
    """The date of a serial number of days, as Excel counts them."""
    try:
        days = float(value)
    except ValueError:
        return value
    if not 0 < days < _MOST_DAYS:
        return value
    return (_FIRST_DAY + timedelta(days=int(days))).isoformat()


def _shared_strings(archive: Archive) -> Iterator[str]:
    root = archive.root("xl/sharedStrings.xml")
    for string in () if root is None else root.iter("{*}si"):
        yield _text(string)


def _text(element: Any) -> str:
    """The text of a cell or a string, without the readings above its characters."""
    return "".join(t.text or "" for t in element.iter("{*}t") if local_name(t.getparent()) != "rPh")


def _date_styles(archive: Archive) -> set[str]:
    """The numbers of the cell styles that show a date."""
    root = archive.root("xl/styles.xml")
    if root is None:
        return set()
    own = {
        e.get("numFmtId"): _QUOTED.sub("", e.get("formatCode") or "").lower()
        for e in root.iter("{*}numFmt")
    }
    shown = [e.get("numFmtId") or "" for xfs in root.iter("{*}cellXfs") for e in xfs]
    return {
        str(style)
        for style, number in enumerate(shown)
        if (number.isdigit() and int(number) in _DATE_FORMATS)
        or ("y" in own.get(number, "") and "d" in own.get(number, ""))
    }
