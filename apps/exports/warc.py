"""A collection as a WARC file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from apps.crawls.models import Page
from apps.crawls.pages.bodies import OpenBodies
from apps.engine.networking.page_store.records import pack
from apps.exports.format import DownloadSample, Format, Size, size_by_words
from apps.exports.revisits import RevisitRecords
from apps.exports.rows import Selection

CHUNK = 100


def export(selection: Selection) -> Iterator[bytes]:
    """WARC 1.1, one gzip member a record: the crawls' stored records, byte for byte, each followed
    by revisit records of the visits answered by “not modified”.

    A crawl over a recorded web stores no records: its pages are read from that web and written as
    records, with the date of their capture. Raises BadWebFile if a stored page is gone.
    """
    with closing(RevisitRecords(selection.crawls)) as revisits:
        for page, data in records(selection):
            yield data
            for revisit in revisits.of(page, data):
                yield revisit.data


def records(selection: Selection) -> Iterator[tuple[Page, bytes]]:
    """Each page with its record. Raises BadWebFile."""
    with OpenBodies() as opened:
        for chunk in selection.chunks(CHUNK):
            crawl = selection.crawl_of(chunk[0])
            bodies = opened.of(crawl)
            for page in chunk:
                kept = crawl.source.keeps_pages
                yield page, bodies.packed(page) if kept else pack(bodies.answer(page)).data


def _size(sample: DownloadSample) -> Size:
    return size_by_words(export, sample)


WARC = Format(
    id="warc",
    title="WARC",
    words="the pages as fetched",
    sentence="The answers as they were fetched, for web archives and for crawling them again"
    " elsewhere; without the similarity of a search for near pages.",
    content_type="application/warc",
    extension="warc.gz",
    export=export,
    size=_size,
    unit="page",
)
