"""The page store: answers as WARC records, written once and read back unchanged.

There is one file per writer. A record is valid once the caller of `sync` has stored its `Record`; a
torn last record has none and is never read. Bodies are stored decoded, and the original encoding
headers renamed (`X-Original-Content-Encoding`, …), so that other tools can read the records. The
requested URL and the redirects are in custom WARC headers (`Crawl-…`). A document is followed by
the page that it was converted to, as a conversion record; one `Record` is the place of both.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import threading
import time
import uuid
import zlib
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import Protocol

from isal import isal_zlib

from apps.engine.durable import sync
from apps.engine.errors import BadWebFile
from apps.engine.file_faults import fault_words
from apps.engine.kinds import DocumentKind
from apps.engine.model import Answer, Converted, Headers, PackedRecord

# A third of the time of zlib's level 1, and smaller by a fortieth.
LEVEL = 2
OPEN_FILES = 64
_GZIP = zlib.MAX_WBITS | 16
HEAD = 64 * 1024
"""The bytes of a record that are read for the moment of its fetch."""
_FETCHED_AT = re.compile(rb"^Crawl-Fetched-At: (\S+)\r?$", re.MULTILINE)

_CONTENT_TYPE = "application/http; msgtype=response"
NOT_MODIFIED_PROFILE = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
_CONVERSION_TYPE = "text/html; charset=utf-8"
_ORIGINAL = "X-Original-"
_RENAMED = frozenset({"content-encoding", "content-length", "transfer-encoding"})
_BREAKS = str.maketrans({"\r": " ", "\n": " ", "\0": " "})


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
        self._write(_information(self.path.name))

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
            head = zlib.decompressobj(_GZIP).decompress(packed, HEAD)
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


def digest_of(body: bytes) -> str:
    """The digest of a body in WARC's form: `sha1:` and base 32."""
    return "sha1:" + base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()


def pack(answer: Answer) -> PackedRecord:
    """An answer as a response record. Raises ValueError for one without a status (nothing was
    received)."""
    if answer.status is None:
        raise ValueError("only an answer of a server can be stored")
    digest = digest_of(answer.body)
    fields = _fields(answer, digest)
    data = _record(fields, _CONTENT_TYPE, _block(answer))
    if answer.converted is not None:
        data += _conversion(answer.converted, dict(fields))
    return PackedRecord(data, digest)


def pack_revisit(fetched_at: float, original: Answer, digest: str) -> bytes:
    """The record of an answer that a page was still as its `original`, whose body has that digest
    (WARC 1.1, the profile server-not-modified).

    It has no block, as the standard allows: readers that are given the headers of a 304 show
    that, and not the page.
    """
    fields = [
        ("WARC-Type", "revisit"),
        _record_id(),
        ("WARC-Target-URI", _line(original.final_url)),
        ("WARC-Date", _moment(fetched_at)),
        ("WARC-Profile", NOT_MODIFIED_PROFILE),
        ("WARC-Refers-To-Target-URI", _line(original.final_url)),
        ("WARC-Refers-To-Date", _moment(original.fetched_at)),
        ("WARC-Payload-Digest", digest),
    ]
    return _record(fields, _CONTENT_TYPE, b"")


def _information(name: str) -> bytes:
    """The first record of a file of that name."""
    fields = [
        ("WARC-Type", "warcinfo"),
        _record_id(),
        ("WARC-Filename", name),
        ("WARC-Date", _moment(time.time())),
    ]
    block = b"software: crawlsite\r\nformat: WARC File Format 1.1\r\n"
    return _record(fields, "application/warc-fields", block)


def _conversion(converted: Converted, of: Mapping[str, str]) -> bytes:
    """The record of a converted document, which refers to that of the document itself."""
    fields = [
        ("WARC-Type", "conversion"),
        _record_id(),
        ("WARC-Target-URI", of["WARC-Target-URI"]),
        ("WARC-Date", of["WARC-Date"]),
        ("WARC-Refers-To", of["WARC-Record-ID"]),
        ("Crawl-Kind", converted.kind),
        ("Crawl-Pages", str(converted.pages)),
    ]
    if converted.is_cut:
        fields.append(("WARC-Truncated", "length"))
    return _record(fields, _CONVERSION_TYPE, converted.html)


def _record(fields: Sequence[tuple[str, str]], content_type: str, block: bytes) -> bytes:
    """One record as one gzip member."""
    lines = [
        "WARC/1.1",
        *(f"{name}: {value}" for name, value in fields),
        f"Content-Type: {content_type}",
        f"Content-Length: {len(block)}",
        "",
        "",
    ]
    data = b"".join(("\r\n".join(lines).encode(), block, b"\r\n\r\n"))
    return isal_zlib.compress(data, LEVEL, _GZIP)


def _record_id() -> tuple[str, str]:
    return "WARC-Record-ID", f"<urn:uuid:{uuid.uuid4()}>"


def _moment(seconds: float) -> str:
    moment = datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)
    return f"{moment.isoformat(timespec='microseconds')}Z"


def _fields(answer: Answer, digest: str) -> list[tuple[str, str]]:
    fields = [
        ("WARC-Type", "response"),
        _record_id(),
        ("WARC-Target-URI", _line(answer.final_url)),
        ("WARC-Date", _moment(answer.fetched_at)),
        ("WARC-Payload-Digest", digest),
        ("Crawl-Fetched-At", repr(answer.fetched_at)),
        ("Crawl-Seconds", repr(answer.seconds)),
    ]
    if answer.url != answer.final_url:
        fields.append(("Crawl-Asked", _line(answer.url)))
    if answer.hops:
        fields.append(("Crawl-Hops", _line(" ".join(answer.hops))))
    if answer.failure:
        fields.append(("Crawl-Failure", _line(answer.failure)))
    if answer.retry_after is not None:
        fields.append(("Crawl-Retry-After", repr(answer.retry_after)))
    if answer.truncated:
        fields.append(("WARC-Truncated", "length"))
    return fields


def _block(answer: Answer) -> bytes:
    lines = [f"HTTP/1.1 {answer.status} {_phrase(answer.status or 0)}"]
    for name, value in answer.headers:
        prefix = _ORIGINAL if name.lower() in _RENAMED else ""
        lines.append(f"{prefix}{_line(name)}: {_line(value)}")
    lines.append(f"Content-Length: {len(answer.body)}\r\n\r\n")
    return "\r\n".join(lines).encode("utf-8", "replace") + answer.body


def with_body(answer: Answer) -> Answer:
    """The answer with its body, which for a page that an agent has read may be in its record
    alone."""
    if answer.body or answer.packed is None:
        return answer
    return replace(answer, body=read_record(answer.packed.data).body)


def read_record(packed: bytes) -> Answer:
    """Parses a record as an answer. Raises zlib.error, ValueError or LookupError if it is none."""
    fields, block, rest = _unpacked(packed)
    http_head, _, body = block.partition(b"\r\n\r\n")
    status_line, *header_lines = http_head.decode().split("\r\n")
    final_url = fields["WARC-Target-URI"]
    retry_after = fields.get("Crawl-Retry-After")
    return Answer(
        url=fields.get("Crawl-Asked", final_url),
        final_url=final_url,
        status=int(status_line.split(" ", 2)[1]),
        headers=_headers(header_lines[:-1]),
        body=body,
        hops=tuple(fields.get("Crawl-Hops", "").split()),
        failure=fields.get("Crawl-Failure"),
        truncated="WARC-Truncated" in fields,
        fetched_at=float(fields["Crawl-Fetched-At"]),
        seconds=float(fields["Crawl-Seconds"]),
        retry_after=None if retry_after is None else float(retry_after),
        converted=_converted(rest) if rest else None,
    )


def response_length(packed: bytes) -> int:
    """The bytes of a stored response alone, without the conversion that may follow it."""
    return len(packed) - len(_unpacked(packed)[2])


def _unpacked(packed: bytes) -> tuple[dict[str, str], bytes, bytes]:
    """The fields and the block of the first record, and what follows it."""
    inflating = zlib.decompressobj(_GZIP)
    data = inflating.decompress(packed) + inflating.flush()
    if not inflating.eof:
        raise ValueError("the record breaks off")
    head, _, rest = data.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    fields = dict(line.split(": ", 1) for line in lines[1:])
    return fields, rest[: int(fields["Content-Length"])], inflating.unused_data


def _converted(packed: bytes) -> Converted:
    fields, html, _ = _unpacked(packed)
    kind, pages = DocumentKind(fields["Crawl-Kind"]), int(fields["Crawl-Pages"])
    return Converted(kind, html, pages, "WARC-Truncated" in fields)


def _headers(lines: list[str]) -> Headers:
    pairs = [line.partition(": ") for line in lines]
    return tuple((name.removeprefix(_ORIGINAL), value) for name, _, value in pairs)


def _line(text: str) -> str:
    """The text on one line, since a line break would start another header."""
    return text if text.isprintable() else text.translate(_BREAKS)


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"
