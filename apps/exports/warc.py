"""A collection as a WARC file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from apps.crawls.models import Page
from apps.crawls.pages.bodies import Bodies, OpenBodies
from apps.engine.networking.page_store import PageStoreWriter
from apps.exports.format import Format, Sample, Size, size_by_words
from apps.exports.rows import Selection

CHUNK = 100


def export(selection: Selection) -> Iterator[bytes]:
    """WARC 1.1, one gzip member a record: the records that the crawls stored, byte for byte.

    A crawl over a recorded web stores no records: its pages are read from that web and written as
    records. Raises BadWebFile if a stored page is gone.
    """
    with OpenBodies() as opened:
        for chunk in selection.chunks(CHUNK):
            crawl = selection.crawl_of(chunk[0])
            if crawl.source.keeps_pages:
                yield from map(opened.of(crawl).packed, chunk)
            else:
                yield _written(opened.of(crawl), chunk)


def _written(bodies: Bodies, pages: Sequence[Page]) -> bytes:
    """Records made from the pages' answers."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pages.warc.gz"
        writer = PageStoreWriter(path)
        for page in pages:
            writer.append(bodies.answer(page))
        writer.close()
        return path.read_bytes()


def _size(sample: Sample) -> Size:
    return size_by_words(export, sample)


WARC = Format(
    id="warc",
    title="WARC",
    words="the pages as fetched",
    sentence="The answers as they were fetched, for web archives and for crawling them again"
    " elsewhere.",
    content_type="application/warc",
    extension="warc.gz",
    export=export,
    size=_size,
    unit="page",
)
