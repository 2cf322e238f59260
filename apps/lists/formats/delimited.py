"""Tables as text: cells between semicolons, tabs, bars or commas, quoted where needed."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice

from apps.lists.addresses import is_address, is_bare_address
from apps.lists.formats.format import Choices
from apps.lists.limits import BadList
from apps.lists.table import Table, TableRow, limited

DELIMITERS: Mapping[str, str] = {"tab": "\t", "semicolon": ";", "bar": "|", "comma": ","}
_SEP = re.compile(r"\ufeff?\"?sep=(.)\"?\s*\r?\n", re.IGNORECASE)
_SAMPLE_CHARACTERS = 100_000
_SAMPLE_ROWS = 200
_ENOUGH = 0.5
_LONGEST_PREAMBLE = 3
csv.field_size_limit(2**24)


class Delimited:
    id = "delimited"
    title = "Table"

    def recognises(self, text: str) -> bool:
        return bool(_SEP.match(text)) or bool(recognised_delimiter(text))

    def read(self, text: str, choices: Choices) -> Table:
        text = text.removeprefix("\ufeff")
        sep = _SEP.match(text)
        delimiter, lines_before = delimiter_of(text, choices)
        body = text[sep.end() :] if sep else text
        read = tuple(limited(rows_of(_lines(body), delimiter, first_line=lines_before + 1)))
        return Table(
            read,
            lines_in_all=text.count("\n") + (not text.endswith("\n")),
            passed=(TableRow(1, (sep[0].strip(),)),) if sep else (),
            delimiter=delimiter,
        )


def delimiter_of(text: str, choices: Choices) -> tuple[str, int]:
    """The delimiter of a table, and how many lines before its rows name it."""
    sep = _SEP.match(text)
    chosen = DELIMITERS.get(choices.delimiter, "")
    return chosen or (sep[1] if sep else recognised_delimiter(text)) or ",", int(bool(sep))


def rows_of(lines: Iterable[str], delimiter: str, first_line: int = 1) -> Iterator[TableRow]:
    """The rows that are not empty. Raises BadList with the line of a damaged one."""
    record: list[str] = []
    reader = csv.reader(_record(lines, record), delimiter=delimiter)
    line = last = first_line
    text: tuple[str, ...] = ()
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield TableRow(line, tuple(cells))
            line, last = first_line + reader.line_num, line
            text = tuple(record)
            record.clear()
    except csv.Error:
        raise BadList(f"Its table cannot be read after line {line:,}. Save it again.") from None
    if _is_open(text, delimiter):
        raise BadList(f"A quotation mark of line {last:,} is never closed. Close or remove it.")


def _lines(text: str) -> Iterable[str]:
    return io.StringIO(text, newline="")


def _record(lines: Iterable[str], record: list[str]) -> Iterator[str]:
    """The lines; `record` holds those since it was last emptied."""
    for line in lines:
        record.append(line)
        yield line


def _is_open(record: Sequence[str], delimiter: str) -> bool:
    """Whether a quotation mark of the record is not closed."""
    try:
        list(csv.reader(record, delimiter=delimiter, strict=True))
    except csv.Error as error:
        return "unexpected end" in str(error)
    return False


def recognised_delimiter(text: str) -> str:
    """The delimiter whose table has a column of addresses and other columns; empty without one.

    Of several, the one with the most addresses alone in their cells, then the most even rows.
    """
    sample = text[:_SAMPLE_CHARACTERS]
    if len(sample) < len(text):
        sample = sample.rpartition("\n")[0] or sample
    scores = {delimiter: _score(sample, delimiter) for delimiter in DELIMITERS.values()}
    best = max(scores, key=lambda delimiter: scores[delimiter])
    return best if scores[best] > (0.0, 0.0) else ""


def _score(sample: str, delimiter: str) -> tuple[float, float]:
    """The share of rows with an address in the best column, and the share of rows of usual width.

    Zero for a text that is not a table: one column, or nothing but addresses.
    """
    rows: list[tuple[str, ...]] = []
    with suppress(BadList):
        rows.extend(row.cells for row in islice(rows_of(_lines(sample), delimiter), _SAMPLE_ROWS))
    if not rows:
        return 0.0, 0.0
    width, usual = Counter(map(len, rows)).most_common(1)[0]
    if width < 2 or _all_addresses(rows):
        return 0.0, 0.0
    if len(rows) == 1 and not any(map(is_address, rows[0])):
        return 0.0, 0.0
    counts = [sum(_holds_address(row, column) for row in rows) for column in range(width)]
    share = max(counts) / len(rows)
    enough = max(1.0, _ENOUGH * (len(rows) - _LONGEST_PREAMBLE))
    return (share, usual / len(rows)) if max(counts) >= enough else (0.0, 0.0)


def _holds_address(row: tuple[str, ...], column: int) -> bool:
    return column < len(row) and (is_address(row[column]) or is_bare_address(row[column]))


def _all_addresses(rows: list[tuple[str, ...]]) -> bool:
    """Whether each row has several addresses and nothing else, as lists separated by commas do."""
    cells = [[cell for cell in row if cell.strip()] for row in rows]
    return all(all(map(is_address, row)) for row in cells) and any(len(row) > 1 for row in cells)
