"""Bodies: detecting text, decompressing within bounds, and classifying answers."""

from __future__ import annotations

import zlib
from dataclasses import replace

from apps.engine.codes import Failure
from apps.engine.model import Answer

MAX_BODY = 10 * 2**20
SNIFFED = 512
SLICE = 64 * 1024
ENCODINGS = "gzip, deflate"

_TEXT_TYPES = frozenset(
    {"application/xhtml+xml", "application/xml", "application/rss+xml", "application/atom+xml"}
)
# Signatures of WHATWG MIME Sniffing §6 and of common archives and programs. The unmistakable ones
# have bytes that no text has, or too many letters for chance.
_UNMISTAKABLE = (
    b"%PDF-", b"%!PS-Adobe-", b"GIF87a", b"GIF89a", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff",
    b"\0\0\1\0", b"\0\0\2\0", b"OggS\0", b"MThd\0\0\0\6", b"\x1a\x45\xdf\xa3", b"fLaC\0",
    b"\0\1\0\0", b"OTTO\0", b"ttcf\0", b"wOFF\0", b"wOF2\0", b"\x1f\x8b\x08", b"PK\x03\x04",
    b"Rar!\x1a\x07", b"7z\xbc\xaf\x27\x1c", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"\x7fELF",
    b"SQLite format 3\0", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
)  # fmt: skip
# Words may begin like this, so a binary byte nearby is needed as well.
_MISTAKABLE = (b"BM", b"RIFF", b"FORM", b"ID3", b"MZ", b"BZh", b"II*\0", b"MM\0*")
_TEXT_MARKS = (b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")
_BINARY_BYTES = bytes(
    code for code in range(32) if code not in (0x09, 0x0A, 0x0C, 0x0D, 0x1B)
)


class UnknownEncodingError(ValueError):
    """A content encoding that was not requested."""


def is_text_type(content_type: str | None) -> bool | None:
    """Whether a Content-Type is text; None if it is undefined and the body must decide."""
    kind = (content_type or "").partition(";")[0].strip().lower()
    if "/" not in kind:
        return None
    return kind.startswith("text/") or kind in _TEXT_TYPES


def looks_like_text(head: bytes) -> bool:
    """Whether the first bytes of a body of unknown type are text (WHATWG MIME Sniffing §7.2)."""
    head = head[:SNIFFED]
    if head.startswith(_TEXT_MARKS):
        return True
    if head.startswith(_UNMISTAKABLE) or head.startswith(b"%!PS"):
        return False
    return not _has_binary(head)


def is_disguised(head: bytes) -> bool:
    """Whether a body declared as text begins like a picture, an archive or a program.

    Text with stray control bytes still counts as text.
    """
    head = head[:SNIFFED]
    if head.startswith(_UNMISTAKABLE):
        return True
    return (head.startswith(_MISTAKABLE) or head[4:8] == b"ftyp") and _has_binary(head)


def _has_binary(head: bytes) -> bool:
    return len(head.translate(None, _BINARY_BYTES)) < len(head)


def is_text(content_type: str | None, head: bytes) -> bool:
    """Whether a body is text, by its type and its first bytes, which take precedence."""
    named = is_text_type(content_type)
    if named is None:
        return looks_like_text(head)
    return named and not is_disguised(head)


class Inflater:
    """Collects a body, decodes its content encoding and keeps at most `limit` bytes.

    The decoder is fed in slices, since a single piece of 33 kB can inflate to 1 GiB.
    """

    def __init__(self, encoding: str | None, limit: int) -> None:
        """Raises UnknownEncodingError for anything but gzip, deflate and identity."""
        self._limit = limit
        self._pieces: list[bytes] = []
        self._size = 0
        self.truncated = False
        name = (encoding or "").strip().lower()
        if name not in ("", "identity", "none", "gzip", "x-gzip", "deflate"):
            raise UnknownEncodingError(f"content encoding {name[:40]} was not requested")
        self._gzip = name in ("gzip", "x-gzip")
        self._coded = name not in ("", "identity", "none")
        self._started = False
        # The first two bytes after a member, which may arrive one by one.
        self._after = b""
        if self._coded:
            self._decoder = zlib.decompressobj(31 if self._gzip else 15)

    def feed(self, data: bytes) -> None:
        """Adds bytes as received. Raises zlib.error if they are damaged."""
        if not self._coded:
            self._keep(data)
            return
        if not self._started and data:
            self._begin(data)
        elif self._decoder.eof:
            data = self._next_member(data)
        more = bool(data)
        while more and not self.truncated:
            piece = self._decoder.decompress(data, SLICE)
            self._keep(piece)
            data = self._decoder.unconsumed_tail
            if self._decoder.eof:
                data = self._next_member(self._decoder.unused_data)
            # After a full slice, the decoder may still hold output although its input is used up.
            more = bool(data) or (len(piece) == SLICE and not self._decoder.eof)

    def head(self, size: int) -> bytes:
        """The first bytes received so far."""
        head = b""
        for piece in self._pieces:
            head += piece[: size - len(head)]
            if len(head) == size:
                break
        return head

    def body(self) -> bytes:
        """The bytes received so far; an encoded body without its end counts as truncated."""
        if self._started and not self._decoder.eof:
            self.truncated = True
        return self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)

    def _begin(self, data: bytes) -> None:
        self._started = True
        # Some servers send raw deflate data without the zlib header that the standard requires.
        if not self._gzip and (data[0] & 0x0F) != 8:
            self._decoder = zlib.decompressobj(-15)

    def _next_member(self, rest: bytes) -> bytes:
        """Begins the next gzip member; any other data after a member is ignored, as in browsers."""
        rest = self._after + rest
        self._after = rest[:2]
        if not (self._gzip and rest.startswith(b"\x1f\x8b")):
            return b""
        self._after = b""
        self._decoder = zlib.decompressobj(31)
        return rest

    def _keep(self, data: bytes) -> None:
        room = self._limit - self._size
        if len(data) > room:
            data = data[:room]
            self.truncated = True
        if data:
            self._pieces.append(data)
            self._size += len(data)


def judge(answer: Answer) -> Answer:
    """The answer, with its failure set if its status, type or body show that it is not a page."""
    if answer.failure or answer.status is None:
        return answer
    if not 200 <= answer.status < 300:
        return replace(answer, failure=f"http_{answer.status}")
    if not answer.body:
        return replace(answer, failure=str(Failure.EMPTY))
    if is_text(answer.header("Content-Type"), answer.body):
        return answer
    return replace(answer, failure=str(Failure.NOT_TEXT), body=b"")
