"""The data dictionary: the meanings of a file's columns, as a CSV file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apps.exports.columns import RowColumn
from apps.exports.csv import CsvLines

HEADING = ("column", "type", "meaning")


def dictionary(columns: Iterable[RowColumn]) -> Iterator[bytes]:
    """CSV in the dialect of the download, a row a column."""
    lines = CsvLines(HEADING)
    yield lines.heading()
    for column in columns:
        values = (column.name, str(column.kind), column.words)
        yield lines.line(dict(zip(HEADING, values, strict=True)))
