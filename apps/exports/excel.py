"""A collection as an Excel workbook with typed cells."""

from __future__ import annotations

from collections.abc import Iterator

from apps.exports.columns import OF_TEXT, USUAL
from apps.exports.format import DownloadSample, Format, Size, columns_of, size_of_package
from apps.exports.rows import Selection, rows


def export(selection: Selection) -> Iterator[bytes]:
    """An .xlsx workbook, see `workbook`; complete before its first byte, since its parts are zipped
    at the end."""
    from apps.exports.workbook import workbook  # openpyxl would slow the start of the site

    columns = columns_of(selection)
    yield from workbook(columns, rows(selection, columns))


def _size(sample: DownloadSample) -> Size:
    chosen = {*(sample.few.columns or USUAL)}
    return size_of_package(export, sample, has_words=bool(OF_TEXT & chosen))


EXCEL = Format(
    id="excel",
    title="Excel",
    words="a sheet of pages, one of what columns mean",
    sentence="A workbook (.xlsx) with typed cells: numbers are numbers, dates are dates in UTC, and"
    " nothing is a formula. A second sheet says what the columns mean. A cell holds 32,767"
    " characters: longer texts are cut and counted there.",
    content_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    extension="xlsx",
    export=export,
    size=_size,
    columns=USUAL,
)
