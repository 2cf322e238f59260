"""Reading an uploaded list into its table, a few thousand lines at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from apps.lists.limits import BadList
from apps.topics.inputs.tables.files import TableWriter
from apps.topics.inputs.tables.lines import BadTable, Errors
from apps.topics.inputs.tables.parsing import ListFormat, Row

BATCH = 5_000
MOST_ROWS = 1_000_000


@dataclass(frozen=True, slots=True)
class Taken:
    """The result of reading a list: the number of rows in the table, and the lines not accepted."""

    rows: int
    errors: Errors


class ListRemoved(Exception):
    """The list was removed while it was being read."""


def read_table(
    source: Path,
    table: Path,
    format: ListFormat,
    hosts: Set[str],
    heartbeat: Callable[[], bool] = lambda: True,
) -> Taken:
    """Makes the table of a list.

    The first million rows are stored, and of the rest those on `hosts`. `heartbeat` is called every
    few thousand lines. Raises BadTable if the list cannot be read or gives no row, NotWanted,
    OSError if the disk is full.
    """
    errors = Errors()
    writer = TableWriter(table)
    try:
        filler = _TableFiller(writer, format, hosts)
        stream = format.parse(source, errors)
        while batch := list(islice(stream, BATCH)):
            filler.take(batch)
            if not heartbeat():
                raise ListRemoved
        if not filler.rows:
            raise BadTable(_nothing(errors))
        if format.ratios:
            writer.count_ratios(filler.smallest)
        return Taken(writer.finish(), errors)
    except BadList as error:
        writer.abandon()
        raise BadTable(str(error)) from None
    except BaseException:
        writer.abandon()
        raise


class _TableFiller:
    """Counts rows, and finds the smallest of all numbers."""

    def __init__(self, writer: TableWriter, format: ListFormat, hosts: Set[str]) -> None:
        self.rows = 0
        self.smallest = float("inf")
        self._writer, self._format, self._hosts = writer, format, hosts

    def take(self, batch: list[Row]) -> None:
        if self._format.ratios:
            self.smallest = min(self.smallest, min(value for _, value in batch))
        room = max(0, MOST_ROWS - self.rows)
        self._writer.add(batch[:room])
        self._writer.add(self._select_rows(batch[room:]))
        self.rows += len(batch)

    def _select_rows(self, rows: list[Row]) -> Iterator[Row]:
        key_host = self._format.key_host
        return (row for row in rows if key_host(row[0]) in self._hosts)


def _nothing(errors: Errors) -> str:
    if not errors.first:
        return "The file holds no usable line."
    line, text, why = errors.first[0]
    return f"No line of it is usable. Line {line:,}, {text!r}: {why}."
