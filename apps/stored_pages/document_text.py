"""The text of a stored document as a person reads it: by page, with its paragraphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lxml import etree

from apps.engine.answers import Answer
from apps.engine.parsing.documents.conversion import PAGE_ATTRIBUTE
from apps.engine.parsing.markup import tree

_PARAGRAPHS = ("p", "h1", "h2", "h3", "h4", "h5", "h6")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of a document, its lines as they were; `is_heading` as the document declares."""

    text: str
    is_heading: bool


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """A page, slide or sheet, from 1, and its paragraphs."""

    number: int
    paragraphs: tuple[Paragraph, ...]

    @property
    def text(self) -> str:
        """All of its text, with white space collapsed."""
        return " ".join(" ".join(paragraph.text for paragraph in self.paragraphs).split())


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The pages of a document that have text; `language` as the document declares it, or empty. Of
    a long one the first characters only (`is_cut`)."""

    language: str
    pages: Sequence[DocumentPage]
    is_cut: bool = False


def document_text(answer: Answer, most: int | None = None) -> DocumentText:
    """The text of a document, at most so many characters; without pages if it is none. Never
    raises."""
    if answer.converted is None:
        return DocumentText("", ())
    root, _ = tree(answer.converted.html.decode())
    if root is None:
        return DocumentText("", ())
    pages: list[DocumentPage] = []
    characters = 0
    for page in _pages(root):
        if most is not None and characters > most:
            return DocumentText(root.get("lang") or "", pages, is_cut=True)
        characters += sum(len(paragraph.text) for paragraph in page.paragraphs)
        pages.append(page)
    return DocumentText(root.get("lang") or "", pages)


def _pages(root: Any) -> Iterator[DocumentPage]:
    for section in root.iter("section"):
        number = section.get(PAGE_ATTRIBUTE) or ""
        paragraphs = tuple(_paragraphs(section))
        if number.isascii() and number.isdigit() and paragraphs:
            yield DocumentPage(int(number), paragraphs)


def _paragraphs(section: Any) -> Iterator[Paragraph]:
    for element in section.iter(*_PARAGRAPHS):
        text = etree.tostring(element, encoding="unicode", method="text", with_tail=False).strip()
        if text:
            yield Paragraph(text, element.tag != "p")
