"""Explains errors of a file in plain words with their position, instead of a parser's message."""

from __future__ import annotations

import csv
import zipfile
import zlib
from json import JSONDecodeError

AROUND = 40
"""Characters of the file to show around the error."""
_JSON = {
    "Expecting value": "a value is missing",
    "Expecting ',' delimiter": "a comma is missing",
    "Expecting ':' delimiter": "a colon is missing",
    "Expecting property name enclosed in double quotes": "a name in double quotes is missing",
    "Unterminated string starting at": "the closing quotation mark of a text is missing",
    "Invalid control character at": "there is a line break or tab inside a text (write \\n or \\t)",
    "Invalid \\escape": "there is a single backslash (write two)",
    "Invalid \\uXXXX escape": "four hexadecimal digits are missing after \\u",
    "Extra data": "more follows after the closing bracket",
    "Unexpected UTF-8 BOM (decode using utf-8-sig)": "there is a byte order mark inside",
}


class FileFault(Exception):
    """An error of a file whose message is for people."""


def fault_words(error: BaseException) -> str:
    """Why reading failed, as a clause: `a comma is missing near “…”`."""
    if isinstance(error, FileFault):
        return str(error)
    if isinstance(error, JSONDecodeError):
        return f"{_json_words(error)} {_near(error.doc, error.pos)}"
    if isinstance(error, UnicodeDecodeError):
        text = bytes(error.object).decode("utf-8", "replace")
        position = len(bytes(error.object)[: error.start].decode("utf-8", "replace"))
        return f"it is not UTF-8 text {_near(text, position)}"
    if isinstance(error, RecursionError):
        return "its brackets are nested too deeply"
    if type(error) is ValueError and "integer string conversion" in str(error):
        return "a number has more digits than can be read"
    if isinstance(error, EOFError | zlib.error | zipfile.BadZipFile):
        return "the packed file is damaged or breaks off"
    if isinstance(error, csv.Error):
        return "it is not a table: there is a misplaced line break or quotation mark"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[0].lower() + error.strerror[1:]
    return "it is damaged"


def _json_words(error: JSONDecodeError) -> str:
    if not error.doc.lstrip().startswith(("{", "[")):
        return "it is not JSON, which begins with { or ["
    message = error.msg.partition(" at: ")[0]
    return _JSON.get(message, "it is not valid JSON")


def _near(text: str, position: int) -> str:
    """The characters around a position, with ellipses where they are cut."""
    text = text.rstrip()
    start = max(0, min(position - AROUND // 2, len(text) - AROUND))
    piece = text[start : start + AROUND]
    shown = "".join(c if c.isprintable() else " " for c in piece).strip()
    if not shown:
        return "at its end" if text else "(it is empty)"
    before, after = "…" * (start > 0), "…" * (start + AROUND < len(text))
    return f"near “{before}{shown}{after}”"
