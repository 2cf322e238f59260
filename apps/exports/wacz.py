"""A collection as WACZ: a web archive in one file, indexed, hashed and replayable."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol

from apps.crawls.models import Page
from apps.engine.networking.page_store.records import read_record, response_length
from apps.exports.format import DownloadSample, Format, Size, size_of_package
from apps.exports.revisits import Revisit, RevisitRecords
from apps.exports.rows import Selection
from apps.exports.streaming import written_pieces
from apps.exports.warc import records

ARCHIVE, INDEX, PAGES = "archive/data.warc.gz", "indexes/index.cdx", "pages/pages.jsonl"
VERSION = "1.1.1"
LISTED = "SELECT page FROM lines WHERE page IS NOT NULL ORDER BY rowid"
_PAGES_HEAD = {"format": "json-pages-1.0", "id": "pages", "title": "All pages"}


class Sink(Protocol):
    """Something that bytes are written to."""

    def write(self, data: bytes, /) -> object: ...


@dataclass(slots=True)
class _Resource:
    """A file of the package, hashed while it is written."""

    path: str
    sink: Sink
    size: int = 0
    sha256: Any = field(default_factory=hashlib.sha256)

    def write(self, data: bytes) -> None:
        self.sink.write(data)
        self.sha256.update(data)
        self.size += len(data)

    @property
    def entry(self) -> dict[str, Any]:
        name = self.path.rpartition("/")[2]
        return {
            "name": name,
            "path": self.path,
            "hash": f"sha256:{self.sha256.hexdigest()}",
            "bytes": self.size,
        }


def export(selection: Selection) -> Iterator[bytes]:
    """WACZ 1.1.1: the records of the WARC download, their index (CDXJ), the list of pages, and a
    hash of each part.

    Written to disk, where the index is sorted too. Raises BadWebFile if a stored page is gone.
    """
    with tempfile.TemporaryFile() as file, closing(sqlite3.connect("")) as lines:
        lines.execute("CREATE TABLE lines (cdxj TEXT, page TEXT)")
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as package:
            resources = [_write_records(package, selection, lines), *_write_lists(package, lines)]
            _write_description(package, selection, resources)
        yield from written_pieces(file)


def _write_records(
    package: zipfile.ZipFile, selection: Selection, lines: sqlite3.Connection
) -> _Resource:
    with (
        package.open(ARCHIVE, "w", force_zip64=True) as sink,
        closing(RevisitRecords(selection.crawls)) as revisits,
    ):
        archive = _Resource(ARCHIVE, sink)
        for page, data in records(selection):
            lines.execute("INSERT INTO lines VALUES (?, ?)", _lines(page, data, archive.size))
            archive.write(data)
            for revisit in revisits.of(page, data):
                line = _revisit_line(revisit, archive.size)
                lines.execute("INSERT INTO lines VALUES (?, NULL)", (line,))
                archive.write(revisit.data)
    return archive


def _lines(page: Page, data: bytes, offset: int) -> tuple[str, str]:
    """The lines of a record in the index and in the list of pages."""
    answer = read_record(data)
    moment = datetime.fromtimestamp(answer.fetched_at, UTC)
    content_type = (answer.header("content-type") or "").partition(";")[0].strip()
    fields = {
        "url": answer.final_url,
        "mime": content_type or "unk",
        "status": str(answer.status),
        "digest": page.digest,
        "length": str(response_length(data)),
        "offset": str(offset),
        "filename": ARCHIVE.rpartition("/")[2],
    }
    listed = {
        "id": f"{page.crawl_id}-{page.seq}",
        "url": answer.final_url,
        "ts": f"{moment:%Y-%m-%dT%H:%M:%SZ}",
        "title": page.title,
    }
    return _cdxj(moment, fields), json.dumps(listed)


def _revisit_line(revisit: Revisit, offset: int) -> str:
    """The line of a revisit record in the index; the list of pages does not have it."""
    fields = {
        "url": revisit.url,
        "mime": "warc/revisit",
        "status": "200",
        "digest": revisit.digest,
        "length": str(len(revisit.data)),
        "offset": str(offset),
        "filename": ARCHIVE.rpartition("/")[2],
    }
    return _cdxj(datetime.fromtimestamp(revisit.fetched_at, UTC), fields)


def _cdxj(moment: datetime, fields: dict[str, str]) -> str:
    from surt import surt  # it would slow the start of the site

    return f"{surt(fields['url'])} {moment:%Y%m%d%H%M%S} {json.dumps(fields)}"


def _write_lists(package: zipfile.ZipFile, lines: sqlite3.Connection) -> Iterator[_Resource]:
    for path, head, query in (
        (INDEX, b"", "SELECT cdxj FROM lines ORDER BY cdxj"),
        (PAGES, json.dumps(_PAGES_HEAD).encode() + b"\n", LISTED),
    ):
        with package.open(path, "w", force_zip64=True) as sink:
            resource = _Resource(path, sink)
            resource.write(head)
            for (line,) in lines.execute(query):
                resource.write(line.encode() + b"\n")
        yield resource


def _write_description(
    package: zipfile.ZipFile, selection: Selection, resources: list[_Resource]
) -> None:
    topics = dict.fromkeys(crawl.topic.name for crawl in selection.crawls)
    description = {
        "profile": "data-package",
        "wacz_version": VERSION,
        "title": ", ".join(topics),
        "created": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "software": "crawlsite",
        "resources": [resource.entry for resource in resources],
    }
    text = json.dumps(description, indent=2, ensure_ascii=False).encode("utf-8", "replace")
    package.writestr("datapackage.json", text)
    digest = {"path": "datapackage.json", "hash": f"sha256:{hashlib.sha256(text).hexdigest()}"}
    package.writestr("datapackage-digest.json", json.dumps(digest))


def _size(sample: DownloadSample) -> Size:
    return size_of_package(export, sample, has_words=True)


WACZ = Format(
    id="wacz",
    title="WACZ",
    words="pages as fetched, replayable, hashed",
    sentence="The answers as they were fetched, with an index and a hash of each part, for"
    " replayweb.page, pywb and web archives; without the similarity of a search for near pages.",
    content_type="application/wacz",
    extension="wacz",
    export=export,
    size=_size,
    unit="page",
)
