"""Answers as WARC records, packed as one gzip member each, and read back unchanged.

Bodies are stored decoded, and the original encoding headers renamed (`X-Original-Content-Encoding`,
…), so that other tools can read the records. The requested URL and the redirects are in custom WARC
headers (`Crawl-…`). A document is followed by the page that it was converted to, as a conversion
record.
"""

from __future__ import annotations

import base64
import hashlib
import time
import uuid
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from http import HTTPStatus

from isal import isal_zlib

from apps.engine.answers import Answer, Converted, Headers, PackedRecord
from apps.engine.kinds import DocumentKind

# A third of the time of zlib's level 1, and smaller by a fortieth.
LEVEL = 2
GZIP = zlib.MAX_WBITS | 16
NOT_MODIFIED_PROFILE = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"

_CONTENT_TYPE = "application/http; msgtype=response"
_CONVERSION_TYPE = "text/html; charset=utf-8"
_ORIGINAL = "X-Original-"
_RENAMED = frozenset({"content-encoding", "content-length", "transfer-encoding"})
_BREAKS = str.maketrans({"\r": " ", "\n": " ", "\0": " "})


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
    """The record of an answer without body: the page is still as its `original`, of that digest
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


def pack_information(name: str) -> bytes:
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
    return isal_zlib.compress(data, LEVEL, GZIP)


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
    inflating = zlib.decompressobj(GZIP)
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
