"""Bodies as they come: content codings decoded in slices, with a limit on what they become."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import Protocol

import brotli
import zstandard

SLICE = 64 * 1024
ZSTD_SLICE = 256
"""Bytes fed at once: a block of four bytes may become 128 kB."""
ZSTD_WINDOW = 8 * 2**20
MOST_CODINGS = 4


class DamagedBody(Exception):
    """The body is not what its Content-Encoding says."""


class Decoder(Protocol):
    """Decodes one coding. `is_whole`: the end of the coded data was reached."""

    @property
    def is_whole(self) -> bool: ...

    def decode(self, data: bytes) -> Iterator[bytes]:
        """The pieces that the data becomes, each of bounded size. Raises DamagedBody."""


class Inflater:
    """Collects a body, undoes its content codings and keeps at most `limit` bytes.

    Codings may be stacked, the last one applied first. A name that is no coding is ignored, as
    browsers do, since some servers write the type of the page there.
    """

    def __init__(self, encoding: str | None, limit: int) -> None:
        self._limit = limit
        self._pieces: list[bytes] = []
        self._size = 0
        self.truncated = False
        self._started = False
        names = [name.strip().lower() for name in (encoding or "").split(",")]
        self._decoders = [_CODINGS[name]() for name in reversed(names) if name in _CODINGS]
        del self._decoders[MOST_CODINGS:]

    def feed(self, data: bytes) -> None:
        """Adds bytes as received. Raises DamagedBody."""
        self._started = self._started or bool(data)
        for piece in self._decoded(data, 0):
            self._keep(piece)
            if self.truncated:
                return

    def _decoded(self, data: bytes, index: int) -> Iterator[bytes]:
        if index == len(self._decoders):
            yield data
            return
        for piece in self._decoders[index].decode(data):
            yield from self._decoded(piece, index + 1)

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
        if self._started and not all(decoder.is_whole for decoder in self._decoders):
            self.truncated = True
        return self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)

    def _keep(self, data: bytes) -> None:
        room = self._limit - self._size
        if len(data) > room:
            data = data[:room]
            self.truncated = True
        if data:
            self._pieces.append(data)
            self._size += len(data)


class _Zlib:
    """gzip with all its members, or deflate with or without its header. A body that does not begin
    like gzip is passed on as it is: its server did not compress it."""

    def __init__(self, is_gzip: bool) -> None:
        self._is_gzip = is_gzip
        self._decoder = zlib.decompressobj(31 if is_gzip else 15)
        self._began = False
        self._is_plain = False
        # The first bytes of the body or of what follows a member, which may arrive one by one.
        self._first = b""

    @property
    def is_whole(self) -> bool:
        return self._is_plain or self._decoder.eof

    def decode(self, data: bytes) -> Iterator[bytes]:
        if not self._began:
            data = self._begin(data)
        elif self._decoder.eof:
            data = self._next_member(data)
        if self._is_plain:
            yield data
            return
        more = bool(data)
        while more:
            try:
                piece = self._decoder.decompress(data, SLICE)
            except zlib.error as error:
                raise DamagedBody(str(error)) from error
            if piece:
                yield piece
            data = self._decoder.unconsumed_tail
            if self._decoder.eof:
                data = self._next_member(self._decoder.unused_data)
            # After a full slice, the decoder may still hold output although its input is used up.
            more = bool(data) or (len(piece) == SLICE and not self._decoder.eof)

    def _begin(self, data: bytes) -> bytes:
        data = self._first + data
        if len(data) < 2:
            self._first = data
            return b""
        self._began, self._first = True, b""
        if self._is_gzip:
            self._is_plain = not data.startswith(b"\x1f\x8b")
        elif (data[0] & 0x0F) != 8:
            # Some servers send raw deflate data without the zlib header that the standard requires.
            self._decoder = zlib.decompressobj(-15)
        return data

    def _next_member(self, rest: bytes) -> bytes:
        """Begins the next gzip member; any other data after a member is ignored, as in browsers."""
        rest = self._first + rest
        self._first = rest[:2]
        if not (self._is_gzip and rest.startswith(b"\x1f\x8b")):
            return b""
        self._first = b""
        self._decoder = zlib.decompressobj(31)
        return rest


class _Brotli:
    def __init__(self) -> None:
        self._decoder = brotli.Decompressor()

    @property
    def is_whole(self) -> bool:
        return bool(self._decoder.is_finished())

    def decode(self, data: bytes) -> Iterator[bytes]:
        try:
            while not self._decoder.is_finished():
                piece = self._decoder.process(data, output_buffer_limit=SLICE)
                data = b""
                if piece:
                    yield piece
                if self._decoder.can_accept_more_data():
                    return
        except brotli.error as error:
            raise DamagedBody(str(error)) from error


class _Zstandard:
    def __init__(self) -> None:
        self._decoder = _new_zstandard()
        self._is_whole = False

    @property
    def is_whole(self) -> bool:
        return self._is_whole

    def decode(self, data: bytes) -> Iterator[bytes]:
        while data and not self._is_whole:
            fed, data = data[:ZSTD_SLICE], data[ZSTD_SLICE:]
            try:
                piece = self._decoder.decompress(fed)
            except zstandard.ZstdError as error:
                raise DamagedBody(str(error)) from error
            if self._decoder.eof:
                self._is_whole = True
            if piece:
                yield piece


def _new_zstandard() -> zstandard.ZstdDecompressionObj:
    return zstandard.ZstdDecompressor(max_window_size=ZSTD_WINDOW).decompressobj()


_CODINGS: dict[str, Callable[[], Decoder]] = {
    "gzip": lambda: _Zlib(is_gzip=True),
    "x-gzip": lambda: _Zlib(is_gzip=True),
    "deflate": lambda: _Zlib(is_gzip=False),
    "br": _Brotli,
    "zstd": _Zstandard,
}
