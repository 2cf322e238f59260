"""Response heads that browsers read though they break the rules of HTTP.

aiohttp's parser has no setting for them, and neither has that of any other library here, so the
head of a response is tidied before the parser gets it: a line that is no header is left out, equal
lengths count once, and a carriage return alone ends no line. A head that keeps the rules, as nearly
all do, is passed on as it came.
"""

from __future__ import annotations

import re
from typing import Any

from aiohttp.client_proto import ResponseHandler

MOST_HEAD = 1024 * 1024
"""A longer head is left to the parser, which refuses it."""
_END = re.compile(rb"\n\r*\n")
_TIDY = re.compile(rb"HTTP/[^\r\n]*\r\n(?:[!#$%&'*+.^_`|~0-9A-Za-z-]++:[^\r\n\0]*+\r\n)*+\r\n")
_ODD_LENGTHS = re.compile(
    rb"\ncontent-length:(?:[^\r\n]*,|.*\n(?:content-length|transfer-encoding):)"
    rb"|\ntransfer-encoding:.*\ncontent-length:",
    re.DOTALL,
)
_NAME = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_INTERIM = re.compile(rb"HTTP/\S+\s+1(?!01)\d\d\b")


class LenientResponses(ResponseHandler):
    """The protocol of a connection whose responses may have odd heads."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._begun: bytes | None = None  # what has come of a head; None beyond it

    def set_response_params(self, **options: Any) -> None:
        """Begins a response."""
        self._begun = b""
        super().set_response_params(**options)

    def data_received(self, data: bytes) -> None:
        """Passes on what comes, each head when it is whole."""
        if self._begun is None or self._parser is None:
            super().data_received(data)
            return
        self._begun += data
        self._begun = self._begun.lstrip(b"\r\n")
        end = _END.search(self._begun)
        if end is None and len(self._begun) <= MOST_HEAD:
            return
        received, self._begun = self._begun, None
        if end is None:
            super().data_received(received)
            return
        head, rest = received[: end.end()], received[end.end() :]
        if _INTERIM.match(head):  # the response itself is still to come
            self._begun = b""
            super().data_received(head)
            if rest:
                self.data_received(rest)
            return
        super().data_received(tidy(head) + rest)

    def connection_lost(self, exc: BaseException | None) -> None:
        """Passes on the beginning of a head that will not be completed."""
        if self._begun:
            received, self._begun = self._begun, None
            super().data_received(received)
        super().connection_lost(exc)


def tidy(head: bytes) -> bytes:
    """The head of a response, up to its empty line, as the rules of HTTP have it."""
    if _TIDY.fullmatch(head) and not _ODD_LENGTHS.search(head.lower()):
        return head
    status, *lines = (line.rstrip(b"\r") for line in head.rstrip(b"\r\n").split(b"\n"))
    headers = _headers(lines)
    is_chunked = any(
        name.lower() == b"transfer-encoding" and b"chunked" in value.lower()
        for name, value in headers
    )
    tidied, length = [status.replace(b"\r", b" ")], None
    for name, value in headers:
        if name.lower() == b"content-length":
            value = _one_length(value)
            if is_chunked or value == length:
                continue
            length = value
        tidied.append(name + b": " + value)
    return b"\r\n".join([*tidied, b"", b""])


def _headers(lines: list[bytes]) -> list[tuple[bytes, bytes]]:
    """The names and values on these lines; a line that begins with a space goes on with the last
    value, and one that is no header is left out."""
    headers: list[tuple[bytes, bytes]] = []
    for line in lines:
        line = line.replace(b"\0", b"").replace(b"\r", b" ")
        name, colon, value = line.partition(b":")
        if line[:1] in (b" ", b"\t"):
            if headers:
                headers[-1] = headers[-1][0], b" ".join((headers[-1][1], line.strip())).strip()
        elif colon and _NAME.fullmatch(name.rstrip()):
            headers.append((name.rstrip(), value.strip()))
    return headers


def _one_length(value: bytes) -> bytes:
    """A list of equal lengths, as a proxy joins them, as one of them."""
    lengths = {length.strip() for length in value.split(b",")}
    return lengths.pop() if len(lengths) == 1 else value
