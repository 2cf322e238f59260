"""Workbooks: Excel (.xlsx, .xlsb, .xls) and OpenDocument (.ods), one sheet of them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any

from python_calamine import CalamineError, CalamineWorkbook, PasswordError, load_workbook

from apps.lists.formats.format import Choices
from apps.lists.formats.hyperlinks import cell_links, with_link
from apps.lists.limits import BadList, check_unpacked
from apps.lists.table import Row, Table, limited

_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_PIECE = 2**20


def is_workbook(data: bytes) -> bool:
    """Whether the bytes begin as workbooks do."""
    return data.startswith((_ZIP, _OLE))


def read_workbook(data: bytes, choices: Choices) -> Table:
    """The chosen sheet, else the first with cells. Raises BadList."""
    if data.startswith(_ZIP):
        _check_contents(data)
    try:
        workbook = load_workbook(io.BytesIO(data))
    except PasswordError:
        raise BadList("It is protected by a password. Save it without one.") from None
    except (CalamineError, ValueError, OSError):
        raise BadList(
            "It is not a workbook that can be read. Save it as .xlsx, .ods or CSV."
        ) from None
    names = tuple(workbook.sheet_names)
    name = choices.sheet if choices.sheet in names else _first_with_cells(workbook, names)
    links = cell_links(data, name) if data.startswith(_ZIP) else {}
    read = tuple(limited(_rows(workbook, name, links)))
    return Table(read, lines_in_all=len(read), sheets=names, sheet=name)


def _check_contents(data: bytes) -> None:
    """Unpacks every part to nowhere, so that what is declared of its size does not matter."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            size = 0
            for part in package.infolist():
                with package.open(part) as stream:
                    while piece := stream.read(_PIECE):
                        size += len(piece)
                        check_unpacked(size)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, OSError):
        raise BadList("It is a damaged or encrypted workbook. Save it again.") from None


def _first_with_cells(workbook: CalamineWorkbook, names: tuple[str, ...]) -> str:
    if not names:
        raise BadList("It is a workbook without a sheet.")
    return next((n for n in names if workbook.get_sheet_by_name(n).height), names[0])


def _rows(workbook: CalamineWorkbook, name: str, links: Mapping[tuple[int, int], str]) -> list[Row]:
    sheet = workbook.get_sheet_by_name(name)
    rows = enumerate(sheet.to_python(skip_empty_area=False), 1)
    return [
        Row(line, cells)
        for line, values in rows
        if any(
            cells := tuple(
                with_link(_text(value), links.get((line, column), ""))
                for column, value in enumerate(values, 1)
            )
        )
    ]


def _text(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return str(value).strip()
