"""A collection as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date

from apps.exports.columns import USUAL
from apps.exports.format import DownloadSample, Format, Size, columns_of, size_of_rows
from apps.exports.rows import Selection, rows

WITH_TEXT = (*USUAL, "text")


def export(selection: Selection) -> Iterator[bytes]:
    """One JSON object a line (UTF-8) for each page; unknown values are null, moments ISO 8601 in
    UTC. `text` is the main text as written.

    Raises BadWebFile if a stored page is gone.
    """
    for values in rows(selection, columns_of(selection, WITH_TEXT)):
        yield _line(values)


def _line(values: dict[str, object]) -> bytes:
    line = json.dumps(values, ensure_ascii=False, default=_moment)
    return line.encode("utf-8", "replace") + b"\n"


def _moment(value: date) -> str:
    return value.isoformat()


def _size(sample: DownloadSample) -> Size:
    return size_of_rows(export, sample, WITH_TEXT)


JSONL = Format(
    id="jsonl",
    title="JSON lines",
    words="with the text as written",
    sentence="One object a page, with its main text as written, a blank line between paragraphs. A"
    " recorded web can be made of the file.",
    content_type="application/x-ndjson; charset=utf-8",
    extension="jsonl",
    export=export,
    size=_size,
    columns=WITH_TEXT,
)
