"""A collection as CSV in one dialect, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from apps.exports.columns import USUAL, RowColumn
from apps.exports.format import DownloadSample, Format, Size, columns_of, size_of_rows
from apps.exports.rows import Selection, rows

# A cell that begins with one of these is a formula to a spreadsheet, in full width too, ...
DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
# ... and after invisible characters (byte order mark, zero width, soft hyphen, spaces).
_UNSEEN = re.compile(r"[\s\u00ad\u180e\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]+")


DIALECT = (
    "RFC 4180: UTF-8 without a byte order mark, a heading, commas, lines that end with CR LF,"
    " double quotes where a cell has a comma, a quote or a line break, doubled inside."
)


def export(selection: Selection) -> Iterator[bytes]:
    """CSV (`DIALECT`), one row a page by crawl and order of fetching.

    Flags are `true` and `false`, moments ISO 8601 in UTC, unknown values empty; decimal numbers
    have a point, probabilities four digits after it. A text that a spreadsheet would take for a
    formula gets a leading apostrophe.
    """
    columns = columns_of(selection)
    lines = CsvLines([column.name for column in columns])
    yield lines.heading()
    for values in rows(selection, columns):
        yield lines.line({c.name: cell(c, values[c.name]) for c in columns})


def cell(column: RowColumn, value: Any) -> Any:
    """A value as it stands in CSV, before formulas are neutralised."""
    if isinstance(value, datetime):
        return value.isoformat(timespec="milliseconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and column.digits is not None:
        return f"{value:.{column.digits}f}"
    return value


class CsvLines:
    """Writes single lines of CSV with the same columns."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns
        self._text = ""
        self._writer = csv.writer(self)

    def write(self, text: str) -> None:
        """Called by the csv module with a finished line."""
        self._text = text

    def heading(self) -> bytes:
        self._writer.writerow(self._columns)
        return self._text.encode()

    def line(self, values: Mapping[str, Any]) -> bytes:
        """One line, with formulas neutralised."""
        self._writer.writerow([_cell(values[name]) for name in self._columns])
        return self._text.encode("utf-8", "replace")


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return neutralised(value) if isinstance(value, str) else value


def neutralised(text: str) -> str:
    """The text, with an apostrophe before it if a spreadsheet would evaluate it."""
    seen = text[unseen.end() :] if (unseen := _UNSEEN.match(text)) else text
    return f"'{text}" if text.startswith(DANGEROUS) or seen.startswith(DANGEROUS) else text


def _size(sample: DownloadSample) -> Size:
    return size_of_rows(export, sample)


CSV = Format(
    id="csv",
    title="CSV",
    words="one row a page, UTF-8",
    sentence="One row a page. A text that a spreadsheet would calculate gets an apostrophe in"
    " front.",
    content_type="text/csv; charset=utf-8",
    extension="csv",
    export=export,
    size=_size,
    columns=USUAL,
)
