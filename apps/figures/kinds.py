"""The kinds of pages in words."""

from __future__ import annotations

from apps.engine.kinds import DocumentKind

KIND_WORDS: dict[DocumentKind, str] = {
    DocumentKind.PAGE: "page",
    DocumentKind.PDF: "PDF",
    DocumentKind.WORD: "Word",
    DocumentKind.POWERPOINT: "PowerPoint",
    DocumentKind.EXCEL: "Excel",
    DocumentKind.OPENDOCUMENT: "OpenDocument",
    DocumentKind.RTF: "RTF",
}
