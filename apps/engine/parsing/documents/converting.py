"""Converts a document to a page, whatever its kind."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from apps.engine.answers import Converted
from apps.engine.codes import Failure
from apps.engine.kinds import DocumentKind, is_document
from apps.engine.parsing.documents import office, opendocument, pdf, rtf
from apps.engine.parsing.documents.archive import Archive
from apps.engine.parsing.documents.conversion import Conversion
from apps.engine.parsing.documents.limits import DocumentFailed

_LONGEST_FILE_NAME = 300


def convert(body: bytes, url: str) -> Converted:
    """The page of a document that was fetched from `url`. Raises DocumentFailed."""
    if not is_document(body):
        raise DocumentFailed(Failure.BROKEN_DOCUMENT, "it does not begin like a document")
    kind, conversion = _read(body)
    html = conversion.html(_file_name(url)).encode("utf-8", "replace")
    return Converted(kind, html, conversion.pages, conversion.is_cut)


def _read(body: bytes) -> tuple[DocumentKind, Conversion]:
    if body.startswith(b"{\\rtf"):
        return DocumentKind.RTF, rtf.convert(body)
    if not body.startswith(b"PK"):
        return DocumentKind.PDF, pdf.convert(body)
    archive = Archive(body)
    if "mimetype" in archive.names:
        return DocumentKind.OPENDOCUMENT, opendocument.convert(archive)
    return office.convert(archive)


def _file_name(url: str) -> str:
    path = urlsplit(url).path.rstrip("/")
    return unquote(path.rpartition("/")[2] or urlsplit(url).netloc)[:_LONGEST_FILE_NAME]
