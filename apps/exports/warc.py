"""A collection as a WARC file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from apps.crawls.models import Crawl, Page
from apps.crawls.webs import crawl_folder
from apps.engine.errors import BadWebFile
from apps.engine.networking.page_store import PageStoreWriter
from apps.exports.bodies import Bodies, OpenBodies
from apps.exports.rows import Selection

CONTENT_TYPE = "application/warc"
EXTENSION = "warc.gz"
CHUNK = 100


def export(selection: Selection) -> Iterator[bytes]:
    """WARC 1.1, a gzip member a record: the records that the crawls stored, byte for byte.

    Pages of a crawl over a recorded web, which stores none, are read from that web and written as
    records. Raises BadWebFile where a stored page is gone.
    """
    with OpenBodies() as opened:
        for chunk in selection.chunks(CHUNK):
            crawl = selection.crawl_of(chunk[0])
            if crawl.over == Crawl.Over.HTTP:
                yield from (_stored(crawl, page) for page in chunk)
            else:
                yield _written(opened.of(crawl), chunk)


def _stored(crawl: Crawl, page: Page) -> bytes:
    path = crawl_folder(crawl.pk) / page.file
    try:
        with path.open("rb") as file:
            data = os.pread(file.fileno(), page.length, page.offset)
    except OSError as error:
        raise BadWebFile(f"page {page.seq} cannot be read: {error.strerror}") from None
    if len(data) != page.length:
        raise BadWebFile(f"page {page.seq} cannot be read: {page.file} has been cut")
    return data


def _written(bodies: Bodies, pages: Sequence[Page]) -> bytes:
    """Records made of the pages' answers."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pages.warc.gz"
        writer = PageStoreWriter(path)
        for page in pages:
            writer.append(bodies.answer(page))
        writer.close()
        return path.read_bytes()
