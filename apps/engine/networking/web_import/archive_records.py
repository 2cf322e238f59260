"""The pages in the records of web archives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from warcio.bufferedreaders import ChunkedDataReader

from apps.engine.answers import Answer, Headers
from apps.engine.errors import BadLine, BadURL
from apps.engine.kinds import is_document
from apps.engine.networking.content import (
    MAX_BODY,
    MAX_DOCUMENT,
    is_text,
    is_text_type,
    looks_like_text,
    may_be_document,
)
from apps.engine.networking.inflating import DamagedBody, Inflater
from apps.engine.networking.redirects import REDIRECT_STATUSES
from apps.engine.networking.web_import.archive_files import DAMAGED
from apps.engine.networking.web_import.moments import unix_seconds
from apps.engine.networking.webs.writer import VirtualWebWriter, stored_headers
from apps.engine.urls import canonical, join

PLAIN = ("resource", "conversion")
"""Records without an HTTP answer: files, and texts taken from pages (WET)."""
Convert = Callable[[Answer], Answer]
"""Reads a document: the answer with the page that it was converted to, or with a failure."""
_PIECE = 64 * 1024


def target(record: Any) -> str:
    """The URL of a record, without the angle brackets that some writers add."""
    return (record.rec_headers.get_header("WARC-Target-URI") or "").strip("<>")


def status_of(record: Any) -> int:
    """The status of the HTTP answer, 200 of a record without one, 0 if it cannot be read."""
    if record.rec_type in PLAIN:
        return 200
    http = record.http_headers
    code = http.get_statuscode() if http else ""
    return int(code) if code.isdigit() else 0


def redirect_of(record: Any) -> str | None:
    """Where a record redirects: by its status, or a revisit to the page with the same content."""
    url = target(record)
    if status_of(record) in REDIRECT_STATUSES:
        return join(url, record.http_headers.get_header("Location") or "")
    return record.rec_headers.get_header("WARC-Refers-To-Target-URI") or None


def add_page(
    writer: VirtualWebWriter, number: int, record: Any, convert: Convert | None = None
) -> str | None:
    """Adds a record as a page, or returns the reason why it is none. With `convert` documents are
    pages too.

    Raises BadURL, and BadLine if the file ends within the record.
    """
    status = status_of(record)
    if not 200 <= status < 300:
        return f"http_{status}"
    is_plain = record.rec_type in PLAIN
    headers = () if is_plain else tuple(record.http_headers.headers)
    kind = _header(record, "Content-Type")
    may_convert = convert is not None and may_be_document(kind)
    if is_text_type(kind) is False and not may_convert:
        return "not_text"
    body = _body(number, record, MAX_DOCUMENT if may_convert else MAX_BODY)
    if body is None:
        return "encoding"
    if not body:
        return "empty"
    if convert is not None and is_document(body):
        return _add_document(writer, record, headers, convert, body)
    if not is_text(kind, body):
        return "not_text"
    added = writer.add(
        target(record),
        body,
        headers=(("Content-Type", kind or "text/html"),) if is_plain else headers,
        fetched_at=unix_seconds(record.rec_headers.get_header("WARC-Date") or ""),
    )
    return None if added else "duplicate"


def _add_document(
    writer: VirtualWebWriter, record: Any, headers: Headers, convert: Convert, body: bytes
) -> str | None:
    url = canonical(target(record))
    if url is None:
        raise BadURL(f"{target(record)[:200]} is not an http(s) URL")
    fetched_at = unix_seconds(record.rec_headers.get_header("WARC-Date") or "")
    answer = Answer(url, url, 200, stored_headers(headers), body, fetched_at=fetched_at)
    answer = convert(answer)
    if answer.failure:
        return answer.failure
    return None if writer.add_answer(answer) else "duplicate"


def _header(record: Any, name: str) -> str | None:
    headers = record.rec_headers if record.rec_type in PLAIN else record.http_headers
    value: str | None = headers.get_header(name)
    return value


def _body(number: int, record: Any, most: int) -> bytes | None:
    """The decoded body, or None if it cannot be decoded; a body that is plain in spite of its
    Content-Encoding counts as it is."""
    if record.rec_type in PLAIN:
        return _read(number, record, record.raw_stream, most)
    transfer = (_header(record, "Transfer-Encoding") or "").lower()
    stream = record.raw_stream
    stream = ChunkedDataReader(stream) if "chunked" in transfer else stream
    raw = _read(number, record, stream, most)
    encoding = _header(record, "Content-Encoding")
    inflater = Inflater(encoding, most)
    try:
        inflater.feed(raw)
        body = inflater.body()
    except DamagedBody:
        body = b""
    if inflater.truncated or (raw and not body):
        return raw if raw and looks_like_text(raw) else body or None
    return body


def _read(number: int, record: Any, stream: Any, most: int) -> bytes:
    pieces, size, is_torn = [], 0, False
    try:
        while size < most and (piece := stream.read(min(_PIECE, most - size))):
            pieces.append(piece)
            size += len(piece)
    except DAMAGED:
        is_torn = True
    if is_torn or (size < most and record.raw_stream.limit > 0):
        raise BadLine(f"record {number:,} breaks off before its end", line=number)
    return b"".join(pieces)
