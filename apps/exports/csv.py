"""A collection as CSV, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from apps.exports.format import Format, Sample, Size, length
from apps.exports.rows import COLUMNS, Selection, rows

# A cell that begins with one of these is a formula to a spreadsheet, in full width too, ...
DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
# ... and after invisible characters (byte order mark, zero width, soft hyphen, spaces).
_UNSEEN = re.compile(r"[\s\u00ad\u180e\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]+")


def export(selection: Selection) -> Iterator[bytes]:
    """CSV (UTF-8, RFC 4180) with a heading, one line a page by crawl and order of fetching.

    Booleans are `true` and `false`, unknown values empty; a text that a spreadsheet would take for
    a formula gets a leading apostrophe.
    """
    lines = CsvLines(COLUMNS)
    yield lines.heading()
    for _, values in rows(selection):
        yield lines.line(values)


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


def _size(sample: Sample) -> Size:
    return Size(sample.share * length(export(sample.few)), len(sample.pages) == sample.rows)


CSV = Format(
    id="csv",
    title="CSV",
    words="one row a page",
    sentence="One row a page, for a spreadsheet. A text that a spreadsheet would calculate gets an "
    "apostrophe in front.",
    content_type="text/csv; charset=utf-8",
    extension="csv",
    export=export,
    size=_size,
)
