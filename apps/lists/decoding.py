"""Decodes lists: UTF-8, UTF-16 with or without its mark, Windows code pages."""

from __future__ import annotations

import codecs

from apps.lists.limits import BadList

ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be", "cp1252", "cp1250", "cp1251", "cp1253", "cp932")
"""Those that the screen offers; any codec of Python for text may be named."""
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 4_096
_DETECTED = ("cp1252", "cp1250", "cp1251", "cp1253", "cp932", "cp1254", "cp1255", "cp1256")
_TEXT_CONTROLS = "\t\n\r\f\v"


def decode(data: bytes, encoding: str = "") -> tuple[str, str]:
    """The text and the name of its encoding, recognised unless it is given. Raises BadList."""
    mark, marked = encoding_mark(data)
    name = encoding or marked or _encoding_of(data)
    try:
        text = data.removeprefix(mark if name == marked else b"").decode(name)
    except (UnicodeDecodeError, LookupError):
        raise BadList(f"It is not text in {name}. Choose another encoding.") from None
    if any(char < " " and char not in _TEXT_CONTROLS for char in text):
        raise BadList(
            "It is not text. Upload a text file with one address a line, a table (CSV, Excel,"
            " OpenDocument), a sitemap, bookmarks or references."
        )
    return text, name


def encoding_mark(data: bytes) -> tuple[bytes, str]:
    """The byte order mark and the encoding that it names; both empty without one."""
    return next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", ""))


def wide_encoding(data: bytes) -> str:
    """The UTF-16 of a text without a mark, by its zero bytes; empty for others."""
    sample = data[:_SAMPLE]
    if sample[1::2].count(0) > len(sample) / 4:
        return "utf-16-le"
    if sample[::2].count(0) > len(sample) / 4:
        return "utf-16-be"
    return ""


def _encoding_of(data: bytes) -> str:
    if wide := wide_encoding(data):
        return wide
    try:
        data.decode()
    except UnicodeDecodeError:
        return code_page_of(data)
    return "utf-8"


def code_page_of(data: bytes) -> str:
    """The likeliest Windows code page of the bytes that are not ASCII.

    Western names have few letters beyond ASCII, from which no detector can tell; cp1252 is chosen
    unless at least a tenth of the text is in another script.
    """
    beyond = sum(byte > 127 for byte in data)
    if beyond * 10 < len(data):
        return "cp1252" if _decodes(data, "cp1252") else "latin-1"
    # A crawl loads this module, and decodes no list.
    from charset_normalizer import from_bytes

    best = from_bytes(data, cp_isolation=list(_DETECTED)).best()
    return best.encoding if best else "latin-1"


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
