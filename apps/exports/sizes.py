"""Sizes of a search's files, estimated from a few of its pages."""

from __future__ import annotations

from array import array
from dataclasses import replace

from apps.engine.errors import EngineError
from apps.exports.format import DownloadSample, Format, Size
from apps.exports.formats import FORMATS
from apps.exports.rows import Selection
from apps.exports.sampled import SampledPages


def sizes(pages: Selection, queues: Selection, sample: array[int], rows: int) -> dict[str, Size]:
    """The size of a file in each format: of `rows` pages, of which `sample` is a part, or of the
    links waiting in the crawls of `queues`.

    A format is left out if its package is missing or the stored copies that it needs cannot be
    read.
    """
    few = SampledPages.read(replace(pages, keys=sample))
    measured = {
        name: _size(
            format,
            DownloadSample(pages if format.holds_pages else queues, few, [*few.pages], rows),
        )
        for name, format in FORMATS.items()
    }
    return {name: size for name, size in measured.items() if size is not None}


def _size(format: Format, sample: DownloadSample) -> Size | None:
    if format.missing:
        return None
    try:
        return format.size(sample)
    except EngineError:
        return None
