"""The process that reads one workbook: `python -m apps.lists.formats.workbook_process`.

It may use two gigabytes of memory, and ends when a workbook takes more.
"""

from __future__ import annotations

import io
import pickle
import resource
import sys
from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    load_workbook,
)

from apps.lists.formats.format import Choices
from apps.lists.formats.hyperlinks import cell_links, with_link
from apps.lists.limits import BadList, check_rows
from apps.lists.table import Table, TableRow, limited

MEMORY_BYTES = 2**31
_ZIP = b"PK\x03\x04"


def read_sheet(data: bytes, choices: Choices) -> Table:
    """The chosen sheet of a workbook, else the first with cells. Raises BadList."""
    try:
        workbook = load_workbook(io.BytesIO(data))
        names = tuple(workbook.sheet_names)
        name = choices.sheet if choices.sheet in names else _first_with_cells(workbook, names)
        sheet = workbook.get_sheet_by_name(name)
    except PasswordError:
        raise BadList("It is protected by a password. Save it without one.") from None
    except (CalamineError, ValueError, OSError):
        raise BadList(
            "It is not a workbook that can be read. Save it as .xlsx, .ods or CSV."
        ) from None
    check_rows(sheet.total_height, sheet.total_height * sheet.total_width)
    links = cell_links(data, name) if data.startswith(_ZIP) else {}
    read = tuple(limited(_rows(sheet, links)))
    return Table(read, lines_in_all=len(read), sheets=names, sheet=name)


def _first_with_cells(workbook: CalamineWorkbook, names: tuple[str, ...]) -> str:
    if not names:
        raise BadList("It is a workbook without a sheet.")
    return next((n for n in names if workbook.get_sheet_by_name(n).height), names[0])


def _rows(sheet: CalamineSheet, links: Mapping[tuple[int, int], str]) -> list[TableRow]:
    rows = enumerate(sheet.to_python(skip_empty_area=False), 1)
    return [
        TableRow(line, cells)
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


def limit_memory() -> None:
    """Keeps this process within its memory, and from writing dumps when it ends."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    limit_memory()
    reply: Table | BadList
    try:
        reply = read_sheet(*pickle.load(sys.stdin.buffer))
    except BadList as refusal:
        reply = refusal
    pickle.dump(reply, sys.stdout.buffer)
