"""Which column of a table has the addresses, the titles, the answers; which row is the heading.

The cells decide, not the headings: a column named Address may hold streets.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from apps.lists.addresses import (
    ADDRESS_NAMES,
    Fault,
    Unread,
    clean,
    is_address,
    is_bare_address,
    read_cell,
)
from apps.lists.formats.format import Choices
from apps.lists.limits import BadList
from apps.lists.table import Table, TableRow

ANSWER_NAMES = frozenset({"label", "answer", "relevant", "relevance", "judgement", "class"})
ROLE_NAMES = frozenset({"role", "use"})
TITLE_NAMES = frozenset(
    "title titel titre titulo título titolo name nom nombre nome text description".split()
)
ANSWER_WORDS = frozenset(
    "positive pos relevant yes true negative neg irrelevant not no false + -"
    " ja nein oui non".split()
) | {""}
ROLE_WORDS = frozenset(
    "train training evaluate evaluation judge judging test seed seeds target targets".split()
) | {""}
_LONGEST_PREAMBLE = 20
_LEAST_SHARE = 0.05
_BARE_WEIGHT = 0.9
_SAMPLE = 2_000


@dataclass(frozen=True, slots=True)
class ListColumn:
    """A column: its number from 1, its heading, and how many of its cells have an address."""

    number: int
    heading: str
    addresses: int


@dataclass(frozen=True, slots=True)
class Columns:
    """How the rows of a table are read. Numbers count from 1; 0 is no column.

    `heading` is the row of the headings, `preamble` the rows before it, `rows` those with data.
    """

    columns: tuple[ListColumn, ...]
    rows: tuple[TableRow, ...]
    address: int
    title: int = 0
    answer: int = 0
    role: int = 0
    heading: TableRow | None = None
    preamble: tuple[TableRow, ...] = ()

    @property
    def others(self) -> tuple[ListColumn, ...]:
        """The columns other than the column of addresses."""
        return tuple(each for each in self.columns if each.number != self.address)

    def find_heading(self, names: frozenset[str]) -> int:
        """The first other column whose heading is one of the names, in lower case; 0 without."""
        return next((each.number for each in self.others if each.heading.lower() in names), 0)


def recognise_columns(table: Table, choices: Choices) -> Columns:
    """The columns of a table that is not plain lines. Raises BadList if none has addresses."""
    width = max((len(row.cells) for row in table.rows), default=0)
    sample = table.rows[:_SAMPLE]
    chosen = max(choices.column, 0) or table.address_column
    address = chosen or _address_column(table, sample, width)
    start = _heading_index(table, address, choices.heading)
    heading = table.rows[start] if start is not None else None
    rows = table.rows if start is None else table.rows[start + 1 :]
    names = table.headings or (heading.cells if heading else ())
    counts = [sum(_has_address(row, number) for row in rows) for number in range(1, width + 1)]
    columns = tuple(
        ListColumn(
            number, clean(names[number - 1]) if number <= len(names) else "", counts[number - 1]
        )
        for number in range(1, width + 1)
    )
    if not chosen:
        _refuse_without_addresses(columns, len(table.rows))
    others = [column for column in columns if column.number != address and not column.addresses]
    answer = choices.answer
    if answer < 0:
        answer = _column_of_words(others, rows, ANSWER_NAMES, ANSWER_WORDS | ROLE_WORDS)
    others = [column for column in others if column.number != answer]
    role = _column_of_words(others, rows, ROLE_NAMES, ROLE_WORDS)
    others = [column for column in others if column.number != role]
    title = choices.title if choices.title >= 0 else _title_column(others, rows)
    preamble = table.rows[:start] if start else ()
    return Columns(columns, rows, address, title, answer, role, heading, preamble)


def _address_column(table: Table, sample: Sequence[TableRow], width: int) -> int:
    """The column with the most addresses; of equal ones that with a usual heading, or the first."""
    scores = [(_score(sample, n), _has_usual_name(table, n), -n) for n in range(1, width + 1)]
    return -max(scores)[2] if scores else 1


def _score(rows: Sequence[TableRow], number: int) -> float:
    cells = [row.cells[number - 1] for row in rows if number <= len(row.cells)]
    return sum(1.0 if is_address(c) else _BARE_WEIGHT * is_bare_address(c) for c in cells)


def _has_usual_name(table: Table, number: int) -> bool:
    names = table.headings or (table.rows[0].cells if table.rows else ())
    return number <= len(names) and not ADDRESS_NAMES.isdisjoint(_words(names[number - 1]))


def _heading_index(table: Table, address: int, chosen: bool | None) -> int | None:
    """The index of the heading among the rows; rows before it are a preamble. None without one."""
    if table.headings or not table.rows or chosen is False:
        return None
    first = next(
        (i for i, row in enumerate(table.rows) if _has_address(row, address)), len(table.rows)
    )
    before = table.rows[: min(first, _LONGEST_PREAMBLE)]
    heading = next((i for i, row in enumerate(before) if _is_heading(row, address)), None)
    return 0 if heading is None and chosen else heading


def _is_heading(row: TableRow, address: int) -> bool:
    """Whether the row has words over the addresses, no address with a mistake in it, and words in
    at least half of its cells; a title of the table stands alone in its row."""
    cell = clean(row.cells[address - 1]) if address <= len(row.cells) else ""
    read = read_cell(cell)
    is_words = isinstance(read, Unread) and read.fault == Fault.NO_ADDRESS and "://" not in cell
    return bool(cell) and is_words and 2 * sum(map(bool, map(clean, row.cells))) >= len(row.cells)


def _has_address(row: TableRow, number: int) -> bool:
    if number > len(row.cells):
        return False
    cell = row.cells[number - 1]
    return is_address(cell) or is_bare_address(cell)


def _refuse_without_addresses(columns: Sequence[ListColumn], rows: int) -> None:
    best = max(columns, key=lambda column: column.addresses, default=None)
    if best is None:
        raise BadList("It is empty. Choose a file with one address a line, or a table.")
    if best.addresses > _LEAST_SHARE * rows:
        return
    if not best.addresses:
        raise BadList("No column holds addresses. Choose another file, delimiter or encoding.")
    raise BadList(
        f"No column holds addresses; column {best.number} comes nearest,"
        f" {best.addresses} of {rows:,} cells."
    )


def _column_of_words(
    columns: Sequence[ListColumn],
    rows: Sequence[TableRow],
    names: frozenset[str],
    words: frozenset[str],
) -> int:
    """The column with one of the names, else the first whose cells are all among the words."""
    for column in columns:
        if not names.isdisjoint(_words(column.heading)):
            return column.number
    for column in columns:
        cells = {clean(c).lower() for row in rows for c in row.cells[column.number - 1 :][:1]}
        if cells - {""} and cells <= words:
            return column.number
    return 0


def _title_column(columns: Sequence[ListColumn], rows: Sequence[TableRow]) -> int:
    """The column named as titles are, else the first whose cells are mostly words."""
    for column in columns:
        if not TITLE_NAMES.isdisjoint(_words(column.heading)):
            return column.number
    for column in columns:
        cells = [clean(c) for row in rows[:_SAMPLE] for c in row.cells[column.number - 1 :][:1]]
        if sum(any(map(str.isalpha, cell)) for cell in cells) > len(rows[:_SAMPLE]) / 2:
            return column.number
    return 0


def _words(heading: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", heading.lower())) | {heading.strip().lower()}
