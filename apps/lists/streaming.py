"""Files too long for memory: recognised by their first lines, then read row by row.

Tables as text and plain lines are streamed; a file of another format is read whole, within the
limits of `read_table`.
"""

from __future__ import annotations

import codecs
import io
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import IO

from apps.engine.file_faults import fault_words
from apps.engine.networking.web_import.opening import opened
from apps.lists.columns import Columns, recognise_columns
from apps.lists.decoding import code_page_of, encoding_mark, wide_encoding
from apps.lists.formats.catalogue import format_of
from apps.lists.formats.delimited import delimiter_of, rows_of
from apps.lists.formats.format import Choices
from apps.lists.formats.plain_lines import plain_rows
from apps.lists.formats.workbook import is_workbook
from apps.lists.limits import BadList
from apps.lists.reading import read_table
from apps.lists.table import Table, TableRow

LONGEST_LINE = 1_000_000
"""Characters; a small packed file can hold a line of gigabytes."""
Progress = Callable[[int, int], object]
"""Called with the bytes read and the total bytes (of the file as it is on the disk)."""

_PIECE = 2**20
_SAMPLE_CHARACTERS = 100_000
_SAMPLE_ROWS = 2_000
_REPORT_EVERY = 2_000
_STREAMED = ("delimited", "lines")


@dataclass(frozen=True, slots=True)
class TableStream:
    """The rows with data, and the columns as the first 2,000 rows show them.

    `columns` is None and a row has one cell for plain lines. `sample` are the first of the rows,
    which `rows` yields too; iterating raises BadList with the line.
    """

    columns: Columns | None
    sample: tuple[TableRow, ...]
    rows: Iterator[TableRow]
    delimiter: str = ""

    def text_of(self, row: TableRow) -> str:
        """The row as a line, for messages."""
        return (self.delimiter or " ").join(row.cells)


@contextmanager
def open_table(
    path: Path, progress: Progress = lambda read, of: None, choices: Choices = Choices()
) -> Iterator[TableStream]:
    """Opens a plain or gzipped file of any format of lists. Raises BadList."""
    try:
        encoding, mark = _recognise_encoding(path)
        with opened(path) as (stream, position):
            stream.read(len(mark))
            lines = _read_lines(stream, encoding) if encoding else iter(())
            start = list(_take_characters(lines, _SAMPLE_CHARACTERS))
            text = "".join(start)
            if not encoding or (text.strip() and format_of(text).id not in _STREAMED):
                yield _whole(path, choices)
                return
            yield _streamed(text, chain(start, lines), lambda: progress(*position()), choices)
    except (OSError, EOFError, zlib.error) as error:
        raise BadList(f"It cannot be read: {fault_words(error)}.") from None


def _streamed(
    text: str, lines: Iterable[str], report: Callable[[], object], choices: Choices
) -> TableStream:
    if not text.strip():
        raise BadList("It is empty. Choose a file with one address a line, or a table.")
    if format_of(text).id == "lines":
        taken = (row for row, is_passed in plain_rows(lines) if not is_passed)
        sample = tuple(islice(taken, _SAMPLE_ROWS))
        return TableStream(None, sample, _report_rows(chain(sample, taken), report))
    delimiter, before = delimiter_of(text, choices)
    rows = rows_of(islice(lines, before, None), delimiter, before + 1)
    columns = recognise_columns(Table(tuple(islice(rows, _SAMPLE_ROWS))), choices)
    every = _report_rows(chain(columns.rows, rows), report)
    return TableStream(columns, columns.rows, every, delimiter)


def _whole(path: Path, choices: Choices) -> TableStream:
    _, _, table = read_table(path.read_bytes(), choices)
    columns = None if table.lines else recognise_columns(table, choices)
    rows = columns.rows if columns else table.rows
    return TableStream(columns, rows[:_SAMPLE_ROWS], iter(rows), table.delimiter)


def _recognise_encoding(path: Path) -> tuple[str, bytes]:
    """The encoding of the whole file, and its mark; an empty encoding for a workbook."""
    with opened(path) as (stream, _):
        piece = stream.read(_PIECE)
        if is_workbook(piece):
            return "", b""
        mark, name = encoding_mark(piece)
        name = name or wide_encoding(piece)
        if name:
            return name, mark
        decoder = codecs.getincrementaldecoder("utf-8")()
        lines, is_ascii = 1, True
        while piece:
            try:
                decoder.decode(piece)
            except UnicodeDecodeError as error:
                read = error.object[: error.start]
                if not (is_ascii and read.isascii()):
                    lines += read.count(b"\n")
                    raise BadList(
                        f"It is UTF-8 up to line {lines:,} and something else from there on."
                        " Save it as UTF-8."
                    ) from None
                return code_page_of(piece), b""
            lines += piece.count(b"\n")
            is_ascii = is_ascii and piece.isascii()
            piece = stream.read(_PIECE)
    return "utf-8", b""


def _read_lines(stream: IO[bytes], encoding: str) -> Iterator[str]:
    text = io.TextIOWrapper(stream, encoding=encoding, newline="")
    number = 0
    try:
        while line := text.readline(LONGEST_LINE):
            number += 1
            if len(line) == LONGEST_LINE:
                raise BadList(f"Line {number:,} is longer than {LONGEST_LINE:,} characters.")
            if "\0" in line:
                raise BadList(f"Line {number:,} is not text. Choose a text file or a workbook.")
            yield line
    except UnicodeDecodeError:
        raise BadList(f"Line {number + 1:,} is not text in {encoding}. Save it as UTF-8.") from None
    except (OSError, EOFError, zlib.error) as error:
        raise BadList(f"It cannot be read after line {number:,}: {fault_words(error)}.") from None
    finally:
        text.detach()


def _take_characters(lines: Iterator[str], least: int) -> Iterator[str]:
    """Lines of at least so many characters together, or all of them."""
    taken = 0
    while taken < least and (line := next(lines, "")):
        taken += len(line)
        yield line


def _report_rows(rows: Iterator[TableRow], report: Callable[[], object]) -> Iterator[TableRow]:
    for number, row in enumerate(rows, 1):
        if number % _REPORT_EVERY == 0:
            report()
        yield row
    report()
