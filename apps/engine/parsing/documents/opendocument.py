"""OpenDocument: texts, presentations and spreadsheets (OASIS, ISO 26300)."""

from __future__ import annotations

from typing import Any

from lxml import etree

from apps.engine.codes import Failure
from apps.engine.parsing.documents.archive import Archive, attribute, local_name
from apps.engine.parsing.documents.conversion import Conversion, TextPart
from apps.engine.parsing.documents.dates import iso_date
from apps.engine.parsing.documents.limits import DocumentFailed
from apps.engine.parsing.documents.paragraphs import Paragraphs

_CONTENT = "content.xml"
_SKIPPED = frozenset({"tracked-changes", "annotation", "forms", "event-listeners", "notes"})
_SPACES = {"tab": "\t", "line-break": "\n", "s": " "}


def convert(archive: Archive) -> Conversion:
    """Reads a document. Raises DocumentFailed."""
    root = _content(archive)
    declared = dict(archive.texts("meta.xml"))
    conversion = Conversion(
        title=declared.get("title", ""),
        author=declared.get("initial-creator", "") or declared.get("creator", ""),
        language=declared.get("language", "") or _language(archive),
        published=iso_date(declared.get("creation-date", "")),
        modified=iso_date(declared.get("date", "")),
    )
    paragraphs = Paragraphs(conversion)
    body = root.find(".//{*}body/{*}spreadsheet")
    if body is not None:
        _read_sheets(body, paragraphs, conversion)
    else:
        _read_text(root, paragraphs, conversion)
    return conversion


def _content(archive: Archive) -> Any:
    if any(name == "encryption-data" for name, _ in archive.texts("META-INF/manifest.xml")):
        raise DocumentFailed(Failure.ENCRYPTED)
    root = archive.root(_CONTENT)
    if root is None:
        raise DocumentFailed(Failure.BROKEN_DOCUMENT, f"without its {_CONTENT}")
    return root


def _language(archive: Archive) -> str:
    """The language of the standard style."""
    root = archive.root("styles.xml")
    for style in () if root is None else root.iter("{*}default-style"):
        for properties in style.iter("{*}text-properties"):
            language = attribute(properties, "language")
            if language and language != "none":
                return language
    return ""


def _read_text(root: Any, paragraphs: Paragraphs, conversion: Conversion) -> None:
    if root.find(".//{*}body/{*}presentation") is None:
        paragraphs.break_page()
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        name = local_name(element) if isinstance(element.tag, str) else ""
        if event == "start":
            if name in _SKIPPED:
                walker.skip_subtree()
                continue
            _begin(name, element, paragraphs)
            paragraphs.text(element.text or "" if _holds_text(element) else "")
            continue
        if name == "a":
            paragraphs.link("")
        elif name in ("p", "h"):
            paragraphs.end(_heading(element) if name == "h" else "p")
            if not conversion.has_room():
                return
        if element.tail and _holds_text(element.getparent()):
            paragraphs.text(element.tail)


def _begin(name: str, element: Any, paragraphs: Paragraphs) -> None:
    if name == "a":
        paragraphs.link(attribute(element, "href"))
    elif name in _SPACES:
        paragraphs.text(_SPACES[name])
    elif name == "soft-page-break" or (name == "page" and "drawing" in str(element.tag)):
        paragraphs.break_page()


def _holds_text(element: Any) -> bool:
    """Whether an element stands in a paragraph, so that what is written in it is text."""
    while element is not None:
        if local_name(element) in ("p", "h"):
            return True
        if local_name(element) not in ("a", "span", "ruby", "ruby-base", "meta", "bookmark-ref"):
            return False
        element = element.getparent()
    return False


def _heading(element: Any) -> str:
    level = attribute(element, "outline-level")
    return f"h{level}" if level in "123456" and level else "h6"


def _read_sheets(body: Any, paragraphs: Paragraphs, conversion: Conversion) -> None:
    for table in body.iterchildren("{*}table"):
        paragraphs.break_page()
        conversion.add([TextPart(attribute(table, "name"))], "h2")
        for row in table.iter("{*}table-row"):
            if not conversion.has_room():
                return
            conversion.add_row(
                [*_cell(cell)] for cell in row.iterchildren("{*}table-cell") if len(cell)
            )


def _cell(cell: Any) -> list[TextPart]:
    pieces: list[TextPart] = []
    for paragraph in cell.iterchildren("{*}p"):
        link = next(paragraph.iter("{*}a"), None)
        href = attribute(link, "href") if link is not None else ""
        pieces.append(TextPart("".join(paragraph.itertext()), href))
    return pieces
