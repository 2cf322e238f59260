"""Reads a list: the recognised format, the entries, and each skipped line."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlsplit

from apps.engine.urls import canonical, host
from apps.lists.addresses import Address, Fault, Unread, read_cell, read_line
from apps.lists.columns import Columns, ListColumn, recognise_columns
from apps.lists.decoding import decode
from apps.lists.formats.catalogue import FORMATS, format_of
from apps.lists.formats.delimited import DELIMITERS
from apps.lists.formats.format import Choices, TextFormat
from apps.lists.formats.opml import FEED_ONLY
from apps.lists.formats.sitemap import SITEMAP
from apps.lists.formats.workbook import is_workbook, read_workbook
from apps.lists.limits import BadList
from apps.lists.table import Table, TableRow, cell_of
from apps.lists.unpacking import unpack

LINES = "lines"
_FAULT_MARKS = {FEED_ONLY: Fault.ONLY_A_FEED, SITEMAP: Fault.SITEMAP_OF_SITEMAPS}


@dataclass(frozen=True, slots=True)
class ListEntry:
    """An address of the list: `url` as it is requested, `key` its canonical spelling.

    `completed` is true if `https://` was added; `answer` and `role` are the cells of these columns.
    """

    line: int
    url: str
    key: str
    text: str
    title: str = ""
    answer: str = ""
    role: str = ""
    completed: bool = False

    @property
    def dropped(self) -> tuple[str, ...]:
        """The names of the query's parameters that the canonical spelling leaves out."""
        remaining = {name for name, _ in parse_qsl(urlsplit(self.key).query, True)}
        names = (name for name, _ in parse_qsl(urlsplit(self.url).query, True))
        return tuple(dict.fromkeys(name for name in names if name not in remaining))


@dataclass(frozen=True, slots=True)
class RejectedLine:
    """A line without an address: the fault, and what to write instead (empty: nothing is near)."""

    line: int
    text: str
    fault: Fault
    correction: str = ""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """An address that an earlier line has."""

    line: int
    url: str
    first_line: int


@dataclass(frozen=True, slots=True)
class ListReading:
    """A list as it was read. `columns` is None for plain lines.

    `format` is the title of the format; `delimiter` the name of the delimiter, `lines` for plain
    lines, empty for formats without one.
    """

    format: str
    encoding: str
    delimiter: str
    entries: tuple[ListEntry, ...]
    refused: tuple[RejectedLine, ...]
    duplicates: tuple[Duplicate, ...]
    passed: tuple[TableRow, ...]
    lines: int
    columns: Columns | None = None
    sheets: tuple[str, ...] = ()
    sheet: str = ""
    rows: tuple[TableRow, ...] = ()

    @property
    def hosts(self) -> int:
        """How many different hosts the entries are on."""
        return len({host(entry.key) for entry in self.entries})

    @property
    def is_clean(self) -> bool:
        """Whether it is plain lines without a mistake, so that nobody needs to look at it."""
        return self.columns is None and not self.refused

    def with_corrections(self, lines: Collection[int]) -> ListReading:
        """The list with the corrections of those refused lines taken; each may become an entry or a
        duplicate."""
        rows = {row.line: row for row in self.rows}
        first_lines = {entry.key: entry.line for entry in self.entries}
        entries, duplicates = list(self.entries), list(self.duplicates)
        for refused in self.refused:
            key = canonical(refused.correction) if refused.line in lines else None
            if key is None:
                continue
            if key in first_lines:
                duplicates.append(Duplicate(refused.line, refused.correction, first_lines[key]))
                continue
            first_lines[key] = refused.line
            address = Address(refused.correction, refused.correction)
            entries.append(_entry_of(rows[refused.line], address, key, self.columns))
        taken = {each.line for each in entries} | {each.line for each in duplicates}
        return replace(
            self,
            entries=tuple(sorted(entries, key=lambda entry: entry.line)),
            duplicates=tuple(sorted(duplicates, key=lambda each: each.line)),
            refused=tuple(each for each in self.refused if each.line not in taken),
        )

    def column(self, number: int) -> ListColumn | None:
        """The column of that number, from 1."""
        if self.columns is None or not 0 < number <= len(self.columns.columns):
            return None
        return self.columns.columns[number - 1]


def read_list(content: bytes | str, choices: Choices = Choices()) -> ListReading:
    """Reads a file or pasted text of any format. Raises BadList."""
    name, encoding, table = read_table(content, choices)
    columns = None if table.lines else recognise_columns(table, choices)
    entries, refused, duplicates = _sort_lines(_read_rows(table, columns), columns)
    if not (entries or refused):
        raise BadList("It has no addresses. Choose a file with one address a line, or a table.")
    passed = table.passed + (columns.preamble if columns else ())
    return ListReading(
        format=name,
        encoding=encoding,
        delimiter=LINES if table.lines else _delimiter_name(table.delimiter),
        entries=entries,
        refused=refused,
        duplicates=duplicates,
        passed=passed,
        lines=table.lines_in_all,
        columns=columns,
        sheets=table.sheets,
        sheet=table.sheet,
        rows=columns.rows if columns else table.rows,
    )


def read_table(content: bytes | str, choices: Choices) -> tuple[str, str, Table]:
    """The title of the format, the encoding (empty for pasted text and workbooks), the table."""
    encoding = ""
    if isinstance(content, bytes):
        content = unpack(content)
        if is_workbook(content):
            return "Workbook", "", read_workbook(content, choices)
        content, encoding = decode(content, choices.encoding)
    if not content.strip():
        raise BadList("It is empty. Choose a file with one address a line, or a table.")
    text_format = _chosen_format(choices) or format_of(content)
    return text_format.title, encoding, text_format.read(content, choices)


def _chosen_format(choices: Choices) -> TextFormat | None:
    if not choices.delimiter:
        return None
    name = LINES if choices.delimiter == LINES else "delimited"
    return next(each for each in FORMATS if each.id == name)


def _read_rows(
    table: Table, columns: Columns | None
) -> Iterator[tuple[TableRow, Address | Unread]]:
    """Each address or fault with its row."""
    if columns is None:
        for row in table.rows:
            for read in read_line(row.cells[0]):
                yield row, read
        return
    for row in columns.rows:
        yield row, _read_marked(cell_of(row, columns.address))


def _read_marked(cell: str) -> Address | Unread:
    for mark, fault in _FAULT_MARKS.items():
        if cell.startswith(mark):
            address = cell.removeprefix(mark)
            return Unread(address, fault, address if canonical(address) else "")
    return read_cell(cell)


def _sort_lines(
    readings: Iterator[tuple[TableRow, Address | Unread]], columns: Columns | None
) -> tuple[tuple[ListEntry, ...], tuple[RejectedLine, ...], tuple[Duplicate, ...]]:
    entries: dict[str, ListEntry] = {}
    refused: list[RejectedLine] = []
    duplicates: list[Duplicate] = []
    for row, read in readings:
        if isinstance(read, Unread):
            refused.append(RejectedLine(row.line, read.text, read.fault, read.correction))
            continue
        key = canonical(read.url)
        assert key is not None
        if key in entries:
            duplicates.append(Duplicate(row.line, read.url, entries[key].line))
        else:
            entries[key] = _entry_of(row, read, key, columns)
    return tuple(entries.values()), tuple(refused), tuple(duplicates)


def _entry_of(row: TableRow, read: Address, key: str, columns: Columns | None) -> ListEntry:
    return ListEntry(
        line=row.line,
        url=read.url,
        key=key,
        text=read.text,
        title=read.title or (cell_of(row, columns.title) if columns else ""),
        answer=cell_of(row, columns.answer) if columns else "",
        role=cell_of(row, columns.role) if columns else "",
        completed=read.completed,
    )


def _delimiter_name(delimiter: str) -> str:
    return next((name for name, mark in DELIMITERS.items() if mark == delimiter), delimiter)
