"""A read list for its screen: menus, the first rows, lines without an address, sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from apps.figures.quantities import number_of
from apps.lists.addresses import Fault
from apps.lists.counts import CountedList
from apps.lists.decoding import ENCODINGS
from apps.lists.formats.delimited import DELIMITERS
from apps.lists.reading import LINES, Duplicate, ListEntry, ListReading, RejectedLine
from apps.lists.table import TableRow
from apps.screens.lists.schemas import COUNTED, HOSTS, OTHERS, TAKEN_AS, ReadingChoices
from apps.topics.definition.corrections import VERBS
from apps.topics.definition.lines import LineFault
from apps.topics.messages import BAD_LINES

SHOWN_ROWS = 200
FIRST_ROWS = 9
SHOWN_LINES = 200
_PREFIX = "https://"


@dataclass(frozen=True, slots=True)
class ReadingMenu:
    """One choice of the reading, with what is chosen or was recognised."""

    name: str
    label: str
    options: tuple[tuple[str, str], ...]
    value: str


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a column; `words` count its cells with an address."""

    number: int
    name: str
    words: str
    is_address: bool


@dataclass(frozen=True, slots=True)
class ListCell:
    """A cell: what was added before its text, the text, and a note below it."""

    text: str
    added: str = ""
    note: str = ""
    is_address: bool = False


@dataclass(frozen=True, slots=True)
class RowView:
    """A line of the list; `state` is `bad`, `folded` or empty."""

    line: int
    cells: tuple[ListCell, ...]
    state: str = ""


@dataclass(frozen=True, slots=True)
class RefusedView:
    """A line without an address: why, and the verb of its correction, if there is one.

    `alike` are the lines with the same correction.
    """

    line: int
    text: str
    why: str
    verb: str
    correction: str
    alike: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ListView:
    """Everything the screen of a list shows; `sums` add up to all that was read."""

    name: str
    about: tuple[str, ...]
    menus: tuple[ReadingMenu, ...]
    headings: tuple[Heading, ...]
    rows: tuple[RowView, ...]
    row_count: int
    refused: tuple[RefusedView, ...]
    refused_count: int
    duplicates: tuple[Duplicate, ...]
    duplicate_count: int
    sums: tuple[tuple[int, str, str], ...]
    entries: int
    hosts: str
    taken_as: tuple[tuple[str, str], ...]
    chosen: str
    corrections: str

    @property
    def are_hosts(self) -> bool:
        """Whether its addresses are hosts."""
        return self.chosen == HOSTS

    @property
    def first_rows(self) -> int:
        """How many rows are shown before the others are asked for."""
        return FIRST_ROWS

    @property
    def lead(self) -> str:
        """The words before the sums; a plain line may have several addresses."""
        number = sum(count for count, _, _ in self.sums)
        if self.headings:
            return f"Of {number_of(number, 'line')}"
        return f"Of {number:,} addresses and lines without one"


def list_view(
    reading: ListReading,
    sent: ReadingChoices,
    name: str,
    size: int,
    counted: CountedList | None = None,
) -> ListView:
    """The view of a list of `size` bytes or characters, read by the choices sent; `counted` has
    its numbers, if it is taken as a list of counts."""
    return ListView(
        name=name,
        about=_about(reading, size),
        menus=tuple(_menus(reading, sent, counted)),
        headings=tuple(_headings(reading)),
        rows=tuple(_row_views(reading)),
        row_count=len(reading.rows),
        refused=tuple(_refused_views(reading)),
        refused_count=len(reading.refused),
        duplicates=reading.duplicates[:SHOWN_LINES],
        duplicate_count=len(reading.duplicates),
        sums=tuple(_sums(reading)),
        entries=len(reading.entries),
        hosts=number_of(reading.hosts, "host"),
        taken_as=tuple(_take_options(sent.taken_as)),
        chosen=sent.taken_as,
        corrections=",".join(map(str, sent.corrections)),
    )


def _about(reading: ListReading, size: int) -> tuple[str, ...]:
    kilobytes = f"{size / 1_000:.0f} kB" if size >= 1_000 else f"{size} B"
    heading = " under a heading" if reading.columns and reading.columns.heading else ""
    lines = f"{number_of(len(reading.rows), 'line')}{heading}"
    passed = number_of(len(reading.passed), "line") + " passed: titles, comments"
    about = (reading.format, kilobytes, lines, *([passed] if reading.passed else ()))
    return (*about, "nothing is taken yet")


def _menus(
    reading: ListReading, sent: ReadingChoices, counted: CountedList | None
) -> Iterable[ReadingMenu]:
    if reading.delimiter:
        names = [*DELIMITERS, LINES]
        options = tuple((each, "one address a line" if each == LINES else each) for each in names)
        yield ReadingMenu("delimiter", "Delimiter", options, reading.delimiter)
    if reading.encoding:
        encodings = dict.fromkeys((reading.encoding, *ENCODINGS))
        yield ReadingMenu(
            "encoding", "Encoding", tuple((e, e) for e in encodings), reading.encoding
        )
    if len(reading.sheets) > 1:
        sheets = tuple((each, each) for each in reading.sheets)
        yield ReadingMenu("sheet", "Sheet", sheets, reading.sheet)
    columns = reading.columns
    if columns is None:
        return
    heading = (("yes", "is a heading"), ("no", "is a line of the list"))
    yield ReadingMenu("heading", "First line", heading, "yes" if columns.heading else "no")
    numbered = [
        (str(each.number), f"column {each.number}{each.heading and ', '}{each.heading}"[:40])
        for each in columns.columns
    ]
    none = ("0", "none")
    yield ReadingMenu("column", "Addresses are in", tuple(numbered), str(columns.address))
    if sent.taken_as == HOSTS:
        return
    if counted:
        yield ReadingMenu("count", "Counts are in", (none, *numbered), str(counted.column))
        return
    yield ReadingMenu("title", "Titles, if wanted", (none, *numbered), str(columns.title))
    yield ReadingMenu("answer", "Answers, if any", (none, *numbered), str(columns.answer))


def _headings(reading: ListReading) -> Iterable[Heading]:
    if reading.columns is None:
        return
    rows = len(reading.rows)
    for column in reading.columns.columns:
        words = f"column {column.number}"
        if column.addresses:
            words += f": {column.addresses:,} of {number_of(rows, 'cell')} hold an address"
        is_address = column.number == reading.columns.address
        yield Heading(column.number, column.heading, words, is_address)


def _row_views(reading: ListReading) -> Iterable[RowView]:
    entries: dict[int, ListEntry] = {}
    for entry in reading.entries:
        entries.setdefault(entry.line, entry)
    refused = {each.line: each for each in reading.refused}
    duplicates = {each.line: each for each in reading.duplicates}
    address = reading.columns.address if reading.columns else 1
    for row in reading.rows[:SHOWN_ROWS]:
        cell = _address_cell(
            row, address, entries.get(row.line), refused.get(row.line), duplicates.get(row.line)
        )
        cells = [ListCell(text) for text in row.cells]
        cells[address - 1 : address] = [cell]
        is_entry = row.line in entries
        state = "" if is_entry else "bad" if row.line in refused else "folded"
        yield RowView(row.line, tuple(cells), state)


def _address_cell(
    row: TableRow,
    number: int,
    entry: ListEntry | None,
    refused: RejectedLine | None,
    duplicate: Duplicate | None,
) -> ListCell:
    text = row.cells[number - 1] if number <= len(row.cells) else ""
    if entry is not None:
        dropped = [f"{name} is dropped" for name in entry.dropped]
        added = _PREFIX if entry.completed else ""
        return ListCell(entry.url.removeprefix(added), added, ", ".join(dropped), True)
    if refused is not None:
        lacks = "number" if refused.fault == Fault.NO_COUNT else "address"
        return ListCell(text, note=f"no {lacks}; below", is_address=True)
    if duplicate is not None:
        return ListCell(text, note=f"same as line {duplicate.first_line}, folded", is_address=True)
    return ListCell(text, is_address=True)


def _refused_views(reading: ListReading) -> Iterable[RefusedView]:
    alike: dict[LineFault, list[int]] = {}
    for each in reading.refused:
        if each.correction:
            alike.setdefault(LineFault(each.fault.value), []).append(each.line)
    for each in reading.refused[:SHOWN_LINES]:
        reason = LineFault(each.fault.value)
        verb = VERBS[reason] if each.correction else ""
        lines = tuple(alike.get(reason, ())) if each.correction else ()
        why = BAD_LINES[reason].format(line=each.line)
        yield RefusedView(each.line, each.text, why, verb, each.correction, lines)


def _sums(reading: ListReading) -> Iterable[tuple[int, str, str]]:
    """Each number, what it counts, and the part of the screen that lists them."""
    completed = sum(entry.completed for entry in reading.entries)
    yield len(reading.entries) - completed, "as written", ""
    if completed:
        yield completed, "without https://, added", ""
    if reading.duplicates:
        yield len(reading.duplicates), "duplicates folded", "list-duplicates"
    if reading.refused:
        faults = Counter(each.fault == Fault.NO_COUNT for each in reading.refused)
        for words, number in (("no address", faults[False]), ("no number", faults[True])):
            if number:
                yield number, words, "list-refused"


def _take_options(taken_as: str) -> Iterable[tuple[str, str]]:
    if taken_as not in (COUNTED, HOSTS):
        yield from TAKEN_AS.items()
    if taken_as in OTHERS:
        yield taken_as, OTHERS[taken_as]
