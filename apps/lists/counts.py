"""Lists with a whole number for each address, such as counts of in-links."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from apps.engine.urls import canonical
from apps.lists.addresses import Fault, Unread, clean, read_cell
from apps.lists.columns import Columns, recognise_columns
from apps.lists.formats.delimited import DELIMITERS
from apps.lists.formats.format import Choices
from apps.lists.numbers import NumberReader, read_numbers
from apps.lists.reading import Duplicate, ListReading, RejectedLine, read_table
from apps.lists.table import TableRow, cell_of

_NAMES = frozenset("count counts inlinks links number n anzahl nombre".split())
_TAIL = re.compile(r"(.*?)\s*[,;|\t]\s*\"?(\d[\d.,\s'’]*)\"?")


@dataclass(frozen=True, slots=True)
class CountReading:
    """The numbers by canonical address; `refused` lines have no address, `uncounted` no number."""

    counts: dict[str, int]
    refused: tuple[RejectedLine, ...]
    uncounted: tuple[TableRow, ...]
    duplicates: tuple[Duplicate, ...]


def read_counts(content: bytes | str, choices: Choices = Choices()) -> CountReading:
    """Reads a file or pasted text of any format. Raises BadList."""
    _, _, table = read_table(content, choices)
    counts: dict[str, int] = {}
    lines: dict[str, int] = {}
    refused: list[RejectedLine] = []
    uncounted: list[TableRow] = []
    duplicates: list[Duplicate] = []
    columns = None if table.lines else recognise_columns(table, choices)
    rows = columns.rows if columns else table.rows
    counted = CountedRows(columns, rows, table.delimiter)
    for row in rows:
        address, number = counted.read(row)
        read = read_cell(address)
        if isinstance(read, Unread):
            refused.append(RejectedLine(row.line, read.text, read.fault, read.correction))
            continue
        key = canonical(read.url) or ""
        if number is None:
            uncounted.append(row)
        elif key in counts:
            duplicates.append(Duplicate(row.line, read.url, lines[key]))
        else:
            counts[key], lines[key] = number, row.line
    return CountReading(counts, tuple(refused), tuple(uncounted), tuple(duplicates))


@dataclass(frozen=True, slots=True)
class CountedList:
    """A list as it was read, whose lines without a number are refused, and the number of each
    entry by its line; `column` has the numbers, 0 for plain lines."""

    reading: ListReading
    numbers: Mapping[int, int]
    column: int


def count_entries(reading: ListReading, choices: Choices = Choices()) -> CountedList:
    """The whole number beside each address of a list."""
    delimiter = DELIMITERS.get(reading.delimiter, reading.delimiter)
    counted = CountedRows(reading.columns, reading.rows, delimiter, choices.count)
    by_line = {row.line: counted.read(row)[1] for row in reading.rows}
    numbers = {line: number for line, number in by_line.items() if number is not None}
    uncounted = [
        RejectedLine(entry.line, entry.text, Fault.NO_COUNT)
        for entry in reading.entries
        if entry.line not in numbers
    ]
    return CountedList(
        replace(
            reading,
            entries=tuple(entry for entry in reading.entries if entry.line in numbers),
            refused=tuple(sorted([*reading.refused, *uncounted], key=lambda each: each.line)),
        ),
        numbers,
        counted.column,
    )


class CountedRows:
    """Reads the address and the number of each row, by the columns that a sample shows.

    `columns` is None for plain lines; `chosen` is the column of the numbers, -1 to recognise it.
    """

    def __init__(
        self, columns: Columns | None, sample: Sequence[TableRow], delimiter: str, chosen: int = -1
    ) -> None:
        self._columns, self._delimiter = columns, delimiter
        self._address = columns.address if columns else 0
        recognised = number_column(columns, sample) if columns else 0
        self.column = chosen if columns and chosen >= 0 else recognised
        self._width = (
            Counter(len(row.cells) for row in sample).most_common(1)[0][0] if sample else 0
        )
        self._numbers = NumberReader([self._texts(row)[1] for row in sample])

    def read(self, row: TableRow) -> tuple[str, int | None]:
        """The text of the address, and the number."""
        address, text = self._texts(row)
        number = self._numbers.read(text)
        beyond = len(row.cells) - self._width
        if number is None and beyond > 0 and 0 < self._address < self.column:
            number = self._numbers.read(cell_of(row, self.column + beyond))
            cells = row.cells[self._address - 1 : self._address + beyond]
            address = clean(self._delimiter.join(cells))
        return address, number

    def _texts(self, row: TableRow) -> tuple[str, str]:
        if self._columns is None:
            parts = _TAIL.fullmatch(row.cells[0])
            return (parts[1], parts[2]) if parts else (row.cells[0], "")
        return cell_of(row, self._address), cell_of(row, self.column)


def number_column(columns: Columns, rows: Sequence[TableRow]) -> int:
    """The column named as counts are, else the first with the most numbers; 0 without one."""
    if named := columns.find_heading(_NAMES):
        return named
    numbers = {each.number: _count_numbers(rows, each.number) for each in columns.others}
    best = max(numbers, key=lambda number: (numbers[number], -number), default=0)
    return best if numbers.get(best) else 0


def _count_numbers(rows: Sequence[TableRow], column: int) -> int:
    return sum(number is not None for number in read_numbers([cell_of(r, column) for r in rows]))
