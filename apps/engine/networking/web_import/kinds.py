"""Detects the type of a file to import as a web from its first bytes."""

from __future__ import annotations

import re
import zipfile
import zlib
from enum import StrEnum
from pathlib import Path

import zstandard

from apps.engine.errors import BadWebFile
from apps.engine.networking.web_import.archive_files import (
    ARCHIVES,
    PACKAGES,
    entries,
    unpack_stream,
)

HEAD = 4_096
HTML = (".html", ".htm", ".xhtml")


class WebKind(StrEnum):
    """The kinds of files that a web is made of."""

    ARCHIVE = "archive"
    HTML_FILES = "html files"
    JSON = "json"
    JSON_LINES = "json lines"


_MHTML = re.compile(
    rb"(?is)\A(?:[\w-]+:[^\n]*\n(?:[ \t][^\n]*\n)*)*Content-Type:\s*multipart/related"
)
_CDX = re.compile(rb"\A(?: CDX |!meta|\S+\)\S* \d{14} )")
_DOCUMENT = re.compile(rb'\A\s*(?:\[|\{\s*"log"\s*:)')
_REFUSED = (
    (
        _MHTML,
        "is an MHTML file, one page as a browser saves it: save it as HTML and pack the pages as a"
        " zip",
    ),
    (_CDX, "is the index (CDX) of a web archive without its pages: choose the WARC files"),
    (re.compile(rb"(?i)\A\s*(?:<!doctype html|<html)"), "is one HTML page: pack pages as a zip"),
)


def web_kind(path: Path) -> WebKind:
    """The kind of a file or folder. Raises BadWebFile with what to do for one that holds no web."""
    if path.is_dir():
        return _kind_of_names(path.name, [file.name for file in path.rglob("*") if file.is_file()])
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as package:
            return _kind_of_names(path.name, [entry.filename for entry in entries(package)])
    head = _head(path)
    for pattern, words in _REFUSED:
        if pattern.search(head):
            raise BadWebFile(f"{path.name} {words}")
    if head.startswith((b"WARC/", b"filedesc://")):
        return WebKind.ARCHIVE
    return WebKind.JSON if _DOCUMENT.search(head) else WebKind.JSON_LINES


def _kind_of_names(name: str, names: list[str]) -> WebKind:
    lower = [each.lower() for each in names]
    if any(each.endswith((*ARCHIVES, *PACKAGES)) for each in lower):
        return WebKind.ARCHIVE
    if any(each.endswith(HTML) for each in lower):
        return WebKind.HTML_FILES
    raise BadWebFile(f"{name} has neither web archives (WARC, ARC, WACZ) nor HTML pages in it")


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as raw, unpack_stream(raw) as stream:
            return stream.read(HEAD)
    except (OSError, EOFError, zlib.error, zstandard.ZstdError):
        return b""
