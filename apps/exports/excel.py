"""A collection as an Excel workbook with typed cells."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from apps.exports.columns import OF_TEXT, USUAL, RowColumn
from apps.exports.format import DownloadSample, Format, Size, columns_of, length, size_of_package
from apps.exports.rows import Selection, rows


def export(selection: Selection) -> Iterator[bytes]:
    """An .xlsx workbook, see `workbook`; complete before its first byte, since its parts are zipped
    at the end."""
    from apps.exports.workbook import workbook  # openpyxl would slow the start of the site

    columns = columns_of(selection)
    yield from workbook(columns, rows(selection, columns))


def _size(sample: DownloadSample) -> Size:
    chosen = {*(sample.few.columns or USUAL)}
    frame = _frame(columns_of(sample.few))
    return size_of_package(export, sample, bool(OF_TEXT & chosen), frame)


@lru_cache
def _frame(columns: tuple[RowColumn, ...]) -> int:
    """The bytes of a workbook without rows, which takes half as long to write as one of forty."""
    from apps.exports.workbook import workbook

    return length(workbook(columns, ()))


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
