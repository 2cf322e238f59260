"""The page store: answers as WARC records in files, written once and read back unchanged.

There is one file per writer. A record is valid once the caller of `sync` has stored its `Record`; a
torn last record has none and is never read. One `Record` is the position of a document and of the
page that it was converted to.
"""

from __future__ import annotations

import os
import re
import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from apps.engine.answers import Answer
from apps.engine.durable import sync
from apps.engine.errors import BadWebFile
from apps.engine.file_faults import fault_words
from apps.engine.networking.page_store.records import GZIP, pack, pack_information, read_record

OPEN_FILES = 64
HEAD = 64 * 1024
"""The bytes of a record that are read for the moment of its fetch."""
_FETCHED_AT = re.compile(rb"^Crawl-Fetched-At: (\S+)\r?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Record:
    """The position of a stored answer: a file of the store, its byte range, the body's SHA-1."""

    file: str
    offset: int
    length: int
    digest: str


class PageWriter(Protocol):
    """Stores answers, one file after another."""

    def append(self, answer: Answer) -> Record: ...
    def sync(self) -> None: ...
    def close(self) -> None: ...


class PageStoreWriter:
    """Appends answers to a new WARC file, as one gzip member each.

    Raises FileExistsError if the file exists, so that no two writers share one.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._file = self.path.open("xb", buffering=0)
        self._offset = 0
        self._named_on_disk = False
        self._write(pack_information(self.path.name))

    def append(self, answer: Answer) -> Record:
        """Appends an answer and returns its record; durable after the next `sync`.

        Raises ValueError for an answer without a status (nothing was received), OSError if the disk
        is full; the file then ends with the last complete record.
        """
        packed = answer.packed or pack(answer)
        offset = self._offset
        self._write(packed.data)
        return Record(self.path.name, offset, self._offset - offset, packed.digest)

    def sync(self) -> None:
        """Makes all appended records durable."""
        os.fsync(self._file.fileno())
        if not self._named_on_disk:
            sync(self.path.parent)
            self._named_on_disk = True

    def close(self) -> None:
        """Syncs and closes; may be called twice."""
        if not self._file.closed:
            self.sync()
            self._file.close()

    def _write(self, data: bytes) -> None:
        try:
            view = memoryview(data)
            while view:
                view = view[self._file.write(view) :]
        except OSError:
            self._file.truncate(self._offset)
            self._file.seek(self._offset)
            raise
        self._offset += len(data)


class PageStore:
    """Reads the records of a directory; safe to use from several threads.

    `find` is called with the path of a file before it is opened, and returns the path to open.
    """

    def __init__(
        self, directory: Path | str, find: Callable[[Path], Path] = lambda path: path
    ) -> None:
        self.directory = Path(directory)
        self._find = find
        self._files: OrderedDict[str, int] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, record: Record) -> Answer:
        """The answer as it was appended, except for `detail`.

        Raises BadWebFile if the file is missing or the record damaged.
        """
        try:
            with self._lock:
                packed = os.pread(self._descriptor(record.file), record.length, record.offset)
            return read_record(packed)
        except (OSError, zlib.error, ValueError, LookupError) as error:
            raise _unreadable(record, error) from None

    def fetched_at(self, record: Record) -> float:
        """When an answer was fetched, in Unix seconds, from the first bytes of its record. Raises
        BadWebFile as `read`."""
        try:
            with self._lock:
                packed = os.pread(
                    self._descriptor(record.file), min(record.length, HEAD), record.offset
                )
            head = zlib.decompressobj(GZIP).decompress(packed, HEAD)
            (moment,) = _FETCHED_AT.findall(head.partition(b"\r\n\r\n")[0])
            return float(moment)
        except (OSError, zlib.error, ValueError) as error:
            raise _unreadable(record, error) from None

    def close(self) -> None:
        """Closes all files; a later read opens them again."""
        with self._lock:
            while self._files:
                os.close(self._files.popitem()[1])

    def _descriptor(self, name: str) -> int:
        descriptor = self._files.get(name)
        if descriptor is None:
            descriptor = os.open(self._find(self.directory / name), os.O_RDONLY)
            self._files[name] = descriptor
            if len(self._files) > OPEN_FILES:
                os.close(self._files.popitem(last=False)[1])
        else:
            self._files.move_to_end(name)
        return descriptor


def _unreadable(record: Record, error: Exception) -> BadWebFile:
    return BadWebFile(
        f"the page stored at {record.file}:{record.offset} cannot be read: {fault_words(error)}"
    )
