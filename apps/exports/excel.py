"""A collection as CSV with a byte order mark, for Excel."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator

from apps.exports import csv
from apps.exports.csv import CSV
from apps.exports.format import Format
from apps.exports.rows import Selection


def export(selection: Selection) -> Iterator[bytes]:
    """The CSV after a byte order mark; without it Excel assumes an older character set."""
    yield BOM_UTF8
    yield from csv.export(selection)


EXCEL = Format(
    id="excel",
    title="CSV for Excel",
    words="the same, for Excel",
    sentence="The CSV with a byte order mark, so that Excel shows accented and non-Latin letters.",
    content_type="text/csv; charset=utf-8",
    extension="csv",
    export=export,
    size=CSV.size,
)
