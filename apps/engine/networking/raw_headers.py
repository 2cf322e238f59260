"""Headers of an answer as text, from the bytes that came."""

from __future__ import annotations

import re

from apps.engine.answers import Headers

_NOT_ASCII = re.compile(rb"[\x80-\xff]")


def decoded(raw: list[tuple[bytes, bytes]]) -> Headers:
    """The names and values, without NUL: UTF-8, or else Latin-1, which accepts any bytes. The bytes
    of a Location that are no UTF-8 are escaped."""
    return tuple(
        (_text(name), _location(value) if name.lower() == b"location" else _text(value))
        for name, value in raw
    )


def _location(value: bytes) -> str:
    """An address; bytes that are no UTF-8 are escaped as they are, as browsers send them on."""
    try:
        return value.decode().replace("\0", "")
    except UnicodeDecodeError:
        return _NOT_ASCII.sub(lambda byte: b"%%%02X" % byte[0][0], value).decode().replace("\0", "")


def _text(value: bytes) -> str:
    try:
        text = value.decode()
    except UnicodeDecodeError:
        text = value.decode("latin-1")
    return text.replace("\0", "")
