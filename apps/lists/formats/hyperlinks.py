"""The addresses behind the cells of an Excel sheet, whose texts may be mere names."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from itertools import product

from lxml import etree

from apps.engine.parsing.documents.relations import relations_part, targets_of
from apps.lists.addresses import is_address

_CELL = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_MOST_CELLS = 100_000
_WORKBOOK = "xl/workbook.xml"
_FORMULA = re.compile(r"\s*HYPERLINK\(.*\)\s*", re.IGNORECASE | re.DOTALL)

Position = tuple[int, int]
"""Row and column, from 1."""


def cell_links(data: bytes, sheet: str) -> dict[Position, str]:
    """The text of the HYPERLINK formula that stands for each linked cell, as `=HYPERLINK("…")`;
    empty for a workbook that is no .xlsx, or damaged."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            path = _sheet_path(package, sheet)
            return dict(_links(package, path)) if path in package.namelist() else {}
    except (zipfile.BadZipFile, KeyError, etree.XMLSyntaxError):
        return {}


def with_link(text: str, link: str) -> str:
    """A cell's text with the address behind it; a text that is an address itself is left."""
    if not link or is_address(text):
        return text
    return link if link.startswith("=") else f'=HYPERLINK("{link}", "{text.replace(chr(34), "")}")'


def _sheet_path(package: zipfile.ZipFile, sheet: str) -> str:
    if _WORKBOOK not in package.namelist():
        return ""
    targets = _targets(package, _WORKBOOK)
    for element in _elements(package, _WORKBOOK, "sheet"):
        if element.get("name") == sheet:
            return targets.get(_relation(element), "")
    return ""


def _targets(package: zipfile.ZipFile, part: str) -> Mapping[str, str]:
    """The targets of a part's relations: other parts, or addresses."""
    relations = relations_part(part)
    if relations not in package.namelist():
        return {}
    return targets_of(part, _elements(package, relations, "Relationship"))


def _links(package: zipfile.ZipFile, path: str) -> Iterator[tuple[Position, str]]:
    targets = _targets(package, path)
    for element in _elements(package, path, "c", "hyperlink"):
        if etree.QName(element).localname == "c":
            formula = element.findtext("{*}f") or ""
            if _FORMULA.fullmatch(formula):
                yield from ((cell, f"={formula.strip()}") for cell in _cells(element.get("r")))
            continue
        address = targets.get(_relation(element), "")
        if re.match(r"https?://", address, re.IGNORECASE):
            yield from ((cell, address) for cell in _cells(element.get("ref")))


def _cells(reference: str | None) -> Iterator[Position]:
    """The cells of `B2` or `B2:C9`."""
    corners = [_position(part) for part in (reference or "").split(":")]
    if None in corners:
        return
    (top, left), (bottom, right) = corners[0] or (1, 1), corners[-1] or (0, 0)
    if (bottom - top + 1) * (right - left + 1) <= _MOST_CELLS:
        yield from product(range(top, bottom + 1), range(left, right + 1))


def _position(cell: str) -> Position | None:
    match = _CELL.fullmatch(cell.replace("$", ""))
    if match is None:
        return None
    column = 0
    for letter in match[1]:
        column = 26 * column + ord(letter) - ord("A") + 1
    return int(match[2]), column


def _relation(element: etree._Element) -> str:
    return next((v for k, v in element.attrib.items() if k.endswith("}id")), "")


def _elements(package: zipfile.ZipFile, path: str, *names: str) -> Iterator[etree._Element]:
    """The elements of a part with these names, as they are read."""
    with package.open(path) as stream:
        for _, element in etree.iterparse(
            stream,
            tag=[f"{{*}}{name}" for name in names],
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
        ):
            yield element
            element.clear()
