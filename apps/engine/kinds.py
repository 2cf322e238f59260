"""The kinds of pages: web pages, and documents that are read like them."""

from __future__ import annotations

from enum import StrEnum

SNIFFED_BYTES = 1024
"""A PDF may begin after so many other bytes."""


class DocumentKind(StrEnum):
    """The type of a document, detected from its bytes rather than taken from the Content-Type."""

    PAGE = "page"
    PDF = "pdf"
    WORD = "word"
    POWERPOINT = "powerpoint"
    EXCEL = "excel"
    OPENDOCUMENT = "opendocument"
    RTF = "rtf"


ENDINGS: dict[str, DocumentKind] = {
    "pdf": DocumentKind.PDF,
    "docx": DocumentKind.WORD,
    "pptx": DocumentKind.POWERPOINT,
    "xlsx": DocumentKind.EXCEL,
    "odt": DocumentKind.OPENDOCUMENT,
    "odp": DocumentKind.OPENDOCUMENT,
    "ods": DocumentKind.OPENDOCUMENT,
    "rtf": DocumentKind.RTF,
}
_OFFICE = "application/vnd.openxmlformats-officedocument."
_OPENDOCUMENT = "application/vnd.oasis.opendocument."
_TYPES = {
    "application/pdf": DocumentKind.PDF,
    "application/x-pdf": DocumentKind.PDF,
    f"{_OFFICE}wordprocessingml.document": DocumentKind.WORD,
    f"{_OFFICE}presentationml.presentation": DocumentKind.POWERPOINT,
    f"{_OFFICE}spreadsheetml.sheet": DocumentKind.EXCEL,
    f"{_OPENDOCUMENT}text": DocumentKind.OPENDOCUMENT,
    f"{_OPENDOCUMENT}presentation": DocumentKind.OPENDOCUMENT,
    f"{_OPENDOCUMENT}spreadsheet": DocumentKind.OPENDOCUMENT,
    "application/rtf": DocumentKind.RTF,
    "text/rtf": DocumentKind.RTF,
}
_OFFICE_PARTS = (b"[Content_Types].xml", b"_rels/", b"docProps/", b"word/", b"ppt/", b"xl/")
_ZIP = b"PK\x03\x04"
_NAME_OFFSET = 30  # of a zip's first entry
_PDF, _RTF = b"%PDF-", b"{\\rtf"


def declared_document(content_type: str | None) -> DocumentKind | None:
    """The kind of document that a Content-Type names, or None."""
    return _TYPES.get((content_type or "").partition(";")[0].strip().lower())


def media_type(kind: DocumentKind) -> str:
    """The Content-Type of a kind of document."""
    return next(name for name, named in _TYPES.items() if named is kind)


def is_document(head: bytes) -> bool:
    """Whether a body that begins like this is a document, or might be one: of a zip only its inside
    tells."""
    head = head[:SNIFFED_BYTES]
    if head.startswith(_ZIP):
        name = head[_NAME_OFFSET:]
        return name.startswith((*_OFFICE_PARTS, b"mimetype" + _OPENDOCUMENT.encode()))
    return head.startswith(_RTF) or _begins_a_pdf(head)


def _begins_a_pdf(head: bytes) -> bool:
    """Whether the mark of a PDF stands at the start, after blanks, or after other binary bytes: a
    page about PDFs has it in its text."""
    mark = head.find(_PDF)
    return mark >= 0 and not any(sign in head[:mark] for sign in (b"<", b"\n\n"))
