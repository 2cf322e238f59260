"""Word, PowerPoint and Excel since 2007 (Office Open XML, ECMA-376)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from lxml import etree

from apps.engine.codes import Failure
from apps.engine.kinds import DocumentKind
from apps.engine.parsing.documents.archive import Archive, attribute, local_name
from apps.engine.parsing.documents.conversion import Conversion
from apps.engine.parsing.documents.dates import iso_date
from apps.engine.parsing.documents.limits import DocumentFailed
from apps.engine.parsing.documents.paragraphs import Paragraphs
from apps.engine.parsing.documents.relations import relations_part, targets_of
from apps.engine.parsing.documents.sheets import read_sheets

_MAIN_PARTS = {
    "word/document.xml": DocumentKind.WORD,
    "ppt/presentation.xml": DocumentKind.POWERPOINT,
    "xl/workbook.xml": DocumentKind.EXCEL,
}
_FIELD_LINK = re.compile(r'\s*HYPERLINK\s+"([^"]+)"')
_HEADING = re.compile(r"(?:heading|berschrift|titre|ttulo)\s*([1-6])", re.IGNORECASE)
_BREAKS = frozenset({"br", "cr"})
# Fallbacks repeat what stands beside them; comments and what was deleted are no text.
_SKIPPED = frozenset({"Fallback", "del", "moveFrom", "sectPr", "pPrChange", "rPrChange"})
_LONGEST_COUNT = 6  # digits


def convert(archive: Archive) -> tuple[DocumentKind, Conversion]:
    """Reads a document by its main part. Raises DocumentFailed."""
    main = next((name for name in _MAIN_PARTS if name in archive.names), None)
    if main is None:
        raise DocumentFailed(Failure.NOT_TEXT, "an archive, and no document")
    conversion = _with_declarations(archive)
    kind = _MAIN_PARTS[main]
    if kind is DocumentKind.WORD:
        _read_word(archive, main, conversion)
    elif kind is DocumentKind.POWERPOINT:
        _read_slides(archive, main, conversion)
    else:
        read_sheets(archive, main, targets(archive, main), conversion)
    return kind, conversion


def _with_declarations(archive: Archive) -> Conversion:
    """A conversion with what the document's properties declare."""
    core = dict(archive.texts("docProps/core.xml"))
    pages = dict(archive.texts("docProps/app.xml")).get("Pages", "")
    is_count = pages.isascii() and pages.isdigit() and len(pages) <= _LONGEST_COUNT
    return Conversion(
        title=core.get("title", ""),
        author=core.get("creator", ""),
        language=core.get("language", ""),
        published=iso_date(core.get("created", "")),
        modified=iso_date(core.get("modified", "")),
        pages=int(pages) if is_count else 0,
    )


def targets(archive: Archive, part: str) -> dict[str, str]:
    """The targets of a part's relations by id: names of parts, or addresses."""
    root = archive.root(relations_part(part))
    return targets_of(part, () if root is None else root.iter(etree.Element))


def _read_word(archive: Archive, main: str, conversion: Conversion) -> None:
    paragraphs = Paragraphs(conversion)
    paragraphs.break_page()
    for part in (main, "word/footnotes.xml", "word/endnotes.xml"):
        root = archive.root(part)
        if root is not None:
            if part == main and not conversion.language:
                conversion.language = _word_language(archive, root)
            _read_text(root, targets(archive, part), paragraphs, conversion)
    paragraphs.end()


def _word_language(archive: Archive, root: Any) -> str:
    """The language that the document's styles declare for its text, else that of its first text."""
    for part in (archive.root("word/styles.xml"), root):
        for element in () if part is None else part.iter("{*}lang"):
            if language := attribute(element, "val"):
                return language
    return ""


def _read_slides(archive: Archive, main: str, conversion: Conversion) -> None:
    root, parts = archive.root(main), targets(archive, main)
    slides = [parts.get(_relation(e), "") for e in root.iter("{*}sldId")]
    conversion.pages = len(slides)
    paragraphs = Paragraphs(conversion)
    for slide in slides:
        if not conversion.has_room():
            return
        paragraphs.break_page()
        tree = archive.root(slide)
        if tree is not None:
            _read_text(tree, targets(archive, slide), paragraphs, conversion)


def _read_text(
    root: Any, addresses: Mapping[str, str], paragraphs: Paragraphs, conversion: Conversion
) -> None:
    """Reads the paragraphs of a Word part or a slide."""
    heading, in_field = "p", False
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        name = local_name(element) if isinstance(element.tag, str) else ""
        if event == "start":
            if name in _SKIPPED:
                walker.skip_subtree()
            elif name == "t":
                paragraphs.text(element.text or "")
            elif name == "tab" and local_name(element.getparent()) == "r":
                paragraphs.text("\t")
            elif name == "lastRenderedPageBreak":
                paragraphs.break_page()
            elif name in _BREAKS:
                paragraphs.text("\n")
            elif name in ("hyperlink", "hlinkClick"):
                paragraphs.link(addresses.get(_relation(element), ""))
            elif name == "instrText" and (field := _FIELD_LINK.match(element.text or "")):
                paragraphs.link(field[1])
                in_field = True
            elif name == "fldChar" and in_field and attribute(element, "fldCharType") == "end":
                paragraphs.link("")
                in_field = False
            elif name == "pStyle":
                level = _HEADING.search(attribute(element, "val"))
                heading = f"h{level[1]}" if level else "p"
        elif name == "p":
            paragraphs.end(heading)
            heading = "p"
            if not conversion.has_room():
                return
        elif name == "hyperlink" or (name == "r" and not in_field and _is_slide_run(element)):
            paragraphs.link("")


def _is_slide_run(element: Any) -> bool:
    """Whether a run carries its own link, as on slides; in Word the link is around its runs."""
    return "drawingml" in str(element.tag)


def _relation(element: Any) -> str:
    """The id of the relation that an element names."""
    return next(
        (value for key, value in element.attrib.items() if key.endswith("relationships}id")), ""
    )
