"""The table into which every format is read: rows of cells with their line numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from apps.lists.limits import CELL_CHARACTERS, check_rows


@dataclass(frozen=True, slots=True)
class TableRow:
    """The cells of a line; `line` counts from 1, of a quoted cell with line breaks the first."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a list, in order.

    `headings` names the columns where the format itself does, `address_column` numbers from 1 the
    one with the addresses where the format knows it. `lines` is true for plain text, whose
    one column may have several addresses a line. `lines_in_all` counts empty and passed lines too;
    `passed` are the comments and the line `sep=`.
    """

    rows: tuple[TableRow, ...]
    headings: tuple[str, ...] = ()
    address_column: int = 0
    lines: bool = False
    lines_in_all: int = 0
    passed: tuple[TableRow, ...] = ()
    delimiter: str = ""
    sheets: tuple[str, ...] = ()
    sheet: str = ""


def cell_of(row: TableRow, number: int) -> str:
    """The cell of a column, numbered from 1, in one line; empty where the row has none."""
    return " ".join(row.cells[number - 1].split()) if 0 < number <= len(row.cells) else ""


def limited(rows: Iterable[TableRow]) -> Iterator[TableRow]:
    """The rows, with long cells cut. Raises BadList beyond the limits of rows and cells."""
    cells = 0
    for number, row in enumerate(rows, 1):
        cells += len(row.cells)
        check_rows(number, cells)
        yield TableRow(row.line, tuple(cell[:CELL_CHARACTERS] for cell in row.cells))
