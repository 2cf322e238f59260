"""Writes rows as an Excel workbook, row by row to disk."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import chain, count, islice
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

from apps.exports.columns import RowColumn, ValueType
from apps.exports.streaming import written_pieces

MOST_ROWS = 1_048_576
"""Of a sheet, with its heading."""
LONGEST_CELL = 32_767
"""In UTF-16 code units."""
FIRST_DAY = "1900-03-01"
"""Programs have no earlier days, or differ by one; they are text."""
DAY, MOMENT = "yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss"
_WIDTHS = {
    ValueType.WHOLE: 9,
    ValueType.DECIMAL: 11,
    ValueType.FLAG: 9,
    ValueType.DAY: 11,
    ValueType.MOMENT: 19,
}
_WIDE = 40
_HEADING = ("column", "type", "meaning", "cells cut to 32,767 characters")


def workbook(columns: Sequence[RowColumn], rows: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """The bytes of an .xlsx workbook: a row for each of `rows`, a further sheet after 1,048,576 of
    them, and last a sheet with the meaning of each column and how many of its cells were cut.

    Numbers, dates (UTC) from March 1900 on and flags are typed, all else is text, never a formula.
    """
    book = _Book(columns)
    book.write(rows)
    with tempfile.TemporaryFile() as file:
        book.save(file)
        yield from written_pieces(file)


@dataclass(slots=True)
class _Book:
    """A workbook whose rows are written to disk as they come; `cut` counts cut cells by column."""

    columns: Sequence[RowColumn]
    cut: dict[str, int] = field(default_factory=dict)
    workbook: Any = field(default_factory=lambda: Workbook(write_only=True))

    def write(self, every: Iterable[dict[str, Any]]) -> None:
        waiting = iter(every)
        sheet = self._new_sheet("Pages")
        for number in count(2):
            for values in islice(waiting, MOST_ROWS - 1):
                sheet.append([self._cell(sheet, c, values[c.name]) for c in self.columns])
            following = next(waiting, None)
            if following is None:
                return
            waiting = chain([following], waiting)
            sheet = self._new_sheet(f"Pages {number}")

    def save(self, file: Any) -> None:
        sheet = self.workbook.create_sheet("Columns")
        _set_widths(sheet, (18, 20, 70, 30))
        sheet.append(_bold(sheet, _HEADING))
        for column in self.columns:
            cut = self.cut.get(column.name)
            sheet.append([column.name, str(column.kind), column.words, cut])
        self.workbook.save(file)

    def _new_sheet(self, title: str) -> Any:
        sheet = self.workbook.create_sheet(title)
        sheet.freeze_panes = "A2"
        _set_widths(sheet, [_WIDTHS.get(column.kind, _WIDE) for column in self.columns])
        sheet.append(_bold(sheet, [column.name for column in self.columns]))
        return sheet

    def _cell(self, sheet: Any, column: RowColumn, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(sheet, column, value)
        if isinstance(value, date) and value.isoformat() < FIRST_DAY:
            return self._text(sheet, column, value.isoformat())
        if isinstance(value, datetime):
            return _formatted(sheet, value.replace(tzinfo=None, microsecond=0), MOMENT)
        if isinstance(value, date):
            return _formatted(sheet, value, DAY)
        if isinstance(value, float) and column.digits is not None:
            return _formatted(sheet, value, f"0.{'0' * column.digits}")
        return value

    def _text(self, sheet: Any, column: RowColumn, value: str) -> Any:
        text = ILLEGAL_CHARACTERS_RE.sub("\ufffd", value)
        encoded = text.encode("utf-16-le", "replace")
        if len(encoded) > 2 * LONGEST_CELL:
            self.cut[column.name] = self.cut.get(column.name, 0) + 1
        cell = WriteOnlyCell(sheet, encoded[: 2 * LONGEST_CELL].decode("utf-16-le", "ignore"))
        cell.data_type = "s"  # "=…" would be a formula, "#N/A" an error
        return cell


def _formatted(sheet: Any, value: Any, number_format: str) -> Any:
    cell = WriteOnlyCell(sheet, value)
    cell.number_format = number_format
    return cell


def _bold(sheet: Any, texts: Iterable[str]) -> list[Any]:
    cells = [WriteOnlyCell(sheet, text) for text in texts]
    for cell in cells:
        cell.font = Font(bold=True)
    return cells


def _set_widths(sheet: Any, widths: Sequence[int]) -> None:
    for index, width in enumerate(widths, 1):
        sheet.column_dimensions[get_column_letter(index)].width = width
