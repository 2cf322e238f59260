"""The files of a crawl's page store where a store holds them, and machines share no folder.

A run writes its pages to files of its own on this machine, segments. When one is complete, at
`SEGMENT_BYTES` or at the end of the run, it is sealed: put into the store. Until then each commit
also stores, in its own transaction, the bytes that it has added to a segment (`UnsealedPages`). So
a machine may vanish at any instant: the next run makes the segments again of these rows, byte for
byte, and seals them. Where the data folder is the store nothing of this is done.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db.models import Exists, F, Max, OuterRef, Subquery
from django.db.models.functions import Length

from apps.crawls.models import Crawl, Page, UnsealedPages
from apps.crawls.pages.folder import crawl_folder, new_store_file
from apps.engine.answers import Answer
from apps.engine.durable import sync
from apps.engine.events import Batch
from apps.engine.networking.page_store.store import PageStoreWriter, Record
from apps.stored_files.files import is_elsewhere, is_kept, keep

SEGMENT_BYTES = 64 << 20
_END = Max(F("offset") + Length("data"))


class SegmentWriter:
    """Appends answers to a new segment, and to another one once it is complete; see
    `PageStoreWriter`."""

    def __init__(self, crawl_id: int, epoch: int) -> None:
        self._crawl_id, self._epoch = crawl_id, epoch
        self._writer: PageStoreWriter | None = None
        self._bytes = 0

    def append(self, answer: Answer) -> Record:
        """The answer's record; durable after the next `sync`."""
        if self._writer is None:
            self._writer = PageStoreWriter(new_store_file(self._crawl_id, self._epoch))
        record = self._writer.append(answer)
        self._bytes = record.offset + record.length
        return record

    def sync(self) -> None:
        """Makes all appended records durable; between two batches a segment may be completed."""
        if self._writer is None:
            return
        if self._bytes < SEGMENT_BYTES:
            self._writer.sync()
        else:
            self.close()

    def close(self) -> None:
        """Completes the segment; may be called twice."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None


class Unsealed:
    """The segments that a run has written and not sealed, with how much of each is committed."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._ends: dict[str, int] = {}

    def write(self, batch: Batch) -> None:
        """Stores what a batch has added to its segments, in the batch's transaction."""
        if not is_elsewhere():
            return
        for file, end in _ends(batch).items():
            begin = self._ends.get(file, 0)
            with (crawl_folder(self._crawl.pk) / file).open("rb") as segment:
                data = os.pread(segment.fileno(), end - begin, begin)
            UnsealedPages.objects.create(crawl=self._crawl, file=file, offset=begin, data=data)
            self._ends[file] = end

    def complete(self) -> list[str]:
        """The segments to which nothing will be added: all but the last one."""
        return list(self._ends)[:-1]

    def every(self) -> list[str]:
        """All of them, at the end of a run."""
        return list(self._ends)

    def upload(self, file: str) -> None:
        """Puts a segment into the store. Raises StoreDown."""
        keep(crawl_folder(self._crawl.pk) / file)

    def drop(self, file: str) -> None:
        """Deletes the rows of a segment that is in the store."""
        UnsealedPages.objects.filter(crawl=self._crawl, file=file).delete()
        del self._ends[file]


def _ends(batch: Batch) -> dict[str, int]:
    """How many bytes of each segment a batch commits."""
    ends: dict[str, int] = {}
    for page in batch.pages:
        if page.record:
            file, offset, length, _ = page.record
            ends[file] = max(ends.get(file, 0), offset + length)
    return ends


def seal_left(crawl_id: int) -> None:
    """Seals the segments that earlier runs have left unsealed, which nobody writes any more.

    Raises StoreDown, OSError if the disk is full.
    """
    rows = UnsealedPages.objects.filter(crawl_id=crawl_id)
    for file in sorted(set(rows.values_list("file", flat=True))):
        path: Path = crawl_folder(crawl_id) / file
        end = rows.filter(file=file).aggregate(end=_END)["end"]
        if not path.exists() or path.stat().st_size < end:
            _write_again(path, crawl_id)
        keep(path)
        rows.filter(file=file).delete()


def seal_everything_here() -> None:
    """Writes all unsealed segments into the data folder and seals them, when no crawl runs: after a
    restore, perhaps into a site without a store. Raises StoreDown, OSError."""
    for crawl_id in sorted(set(UnsealedPages.objects.values_list("crawl_id", flat=True))):
        seal_left(crawl_id)


def left_behind() -> Path | None:
    """A crawl's segment that is on this machine and neither in the store nor in rows: the site ran
    without the store when it was written. None without one: only the first segments of the
    oldest crawl and of the newest are looked at. Raises StoreDown."""
    first = Page.objects.filter(crawl=OuterRef("pk"), seq=1).values("file")
    unsealed = UnsealedPages.objects.filter(crawl=OuterRef("pk"), file=OuterRef("file"))
    crawls = Crawl.objects.annotate(file=Subquery(first)).exclude(file=None).exclude(file="")
    rows = crawls.exclude(Exists(unsealed)).order_by("pk").values_list("pk", "file")
    for crawl_id, file in dict(filter(None, (rows.first(), rows.last()))).items():
        path: Path = crawl_folder(crawl_id) / file
        if path.exists() and not is_kept(path):
            return path
    return None


def _write_again(path: Path, crawl_id: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    with part.open("wb") as segment:
        for data in _pieces(crawl_id, path.name, 0):
            segment.write(data)
    sync(part)
    part.replace(path)
    sync(path.parent)


def _pieces(crawl_id: int, file: str, begin: int) -> Iterator[bytes]:
    """The bytes of a segment from there on."""
    rows = UnsealedPages.objects.filter(crawl_id=crawl_id, file=file, offset__gte=begin)
    yield from map(bytes, rows.order_by("offset").values_list("data", flat=True).iterator(8))


class UnsealedCopies:
    """Copies of unsealed segments, made of their rows, for those who read pages of a crawl that
    another machine runs."""

    def __init__(self, crawl_id: int) -> None:
        self._crawl_id = crawl_id
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def path(self, page: Page) -> Path | None:
        """A copy of the page's segment, at least up to the page; None if that is not unsealed."""
        file, end = page.file, page.offset + page.length
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(dir=settings.DATA_DIR, prefix="unsealed-")
        copy = Path(self._folder.name) / file
        size = copy.stat().st_size if copy.exists() else 0
        if size < end:
            with copy.open("ab") as segment:
                size += sum(map(segment.write, _pieces(self._crawl_id, file, size)))
        return copy if size >= end else None

    def close(self) -> None:
        """Deletes them; may be called twice."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
