"""A document as a plain HTML page: sections for its pages, paragraphs, links where they stand."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple

from apps.engine.parsing.documents.limits import CPU_SECONDS, MOST_CHARACTERS, MOST_LINKS

PAGE_ATTRIBUTE = "data-page"
_NO_TEXT = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
_LONGEST_TITLE = 1_000


class TextPart(NamedTuple):
    """A part of a paragraph; with an `href` the text of a link."""

    text: str
    href: str = ""


@dataclass(slots=True)
class Conversion:
    """Collects the content of a document, piece by piece, up to the limits.

    `published` and `modified` are ISO dates and `author` a name as the file declares them, `pages`
    is how many pages, slides or sheets the document has (0 where the format has none). `is_cut`: a
    limit struck, and the rest is missing.
    """

    title: str = ""
    author: str = ""
    language: str = ""
    published: str = ""
    modified: str = ""
    pages: int = 0
    is_cut: bool = False
    _parts: list[str] = field(default_factory=list)
    _characters: int = 0
    _links: int = 0
    _in_page: bool = False
    _until: float = field(default_factory=lambda: time.process_time() + CPU_SECONDS)

    def has_room(self) -> bool:
        """Whether more may be read; from the first limit that strikes on nothing is."""
        self.is_cut = (
            self.is_cut
            or self._characters > MOST_CHARACTERS
            or self._links > MOST_LINKS
            or time.process_time() > self._until
        )
        return not self.is_cut

    def begin_page(self, number: int) -> None:
        """Starts a page, numbered from 1: later text is on it."""
        self._end_page()
        self._parts.append(f'<section {PAGE_ATTRIBUTE}="{number}">')
        self._in_page = True

    def add(self, pieces: Iterable[TextPart], tag: str = "p") -> None:
        """Adds a paragraph, or a heading; nothing if it is empty."""
        written = [self._write(piece) for piece in pieces]
        if any(written):
            self._parts.append(f"<{tag}>{''.join(written)}</{tag}>\n")

    def add_row(self, cells: Iterable[Iterable[TextPart]]) -> None:
        """Adds a row of a table."""
        written = ["".join(self._write(piece) for piece in cell) for cell in cells]
        if any(written):
            self._parts.append("<p>" + " | ".join(filter(None, written)) + "</p>\n")

    def _write(self, piece: TextPart) -> str:
        room = MOST_CHARACTERS + 1 - self._characters
        text = plain(piece.text)[: max(room, 0)]
        self._characters += len(text)
        if not piece.href:
            return escape(text, quote=False)
        self._links += 1
        if self._links > MOST_LINKS:
            return escape(text, quote=False)
        # A link without words of its own goes by the title of its document.
        note = "" if text.strip() else f' title="{escape(plain(self.title))}"'
        return f'<a href="{escape(plain(piece.href))}"{note}>{escape(text, quote=False)}</a>'

    def _end_page(self) -> None:
        if self._in_page:
            self._parts.append("</section>\n")
            self._in_page = False

    def html(self, file_name: str) -> str:
        """The page; a document that declares no title has that of its file."""
        self._end_page()
        title, author = _line(self.title) or file_name, _line(self.author)
        language = self.language if _LANGUAGE.fullmatch(self.language) else ""
        named = f' lang="{language}"' if language else ""
        notes = [f'<meta name="author" content="{escape(author)}">\n'] if author else []
        notes += [
            f'<meta property="article:{name}_time" content="{escape(value)}">\n'
            for name, value in (("published", self.published), ("modified", self.modified))
            if value
        ]
        head = f"<title>{escape(title, quote=False)}</title>\n{''.join(notes)}"
        return (
            f'<!DOCTYPE html>\n<html{named}>\n<head><meta charset="utf-8">\n{head}</head>\n'
            f"<body>\n{''.join(self._parts)}</body>\n</html>\n"
        )


def _line(text: str) -> str:
    """Declared words in one line."""
    return plain(" ".join(text.split()))[:_LONGEST_TITLE]


def plain(text: str) -> str:
    """The text without characters that no page may hold."""
    return _NO_TEXT.sub("", text)
