"""Ends drawings and templates where a browser ends them, though elements in them are not closed.

libxml2 reads the title, style or script of a drawing as it does outside of drawings, up to its own
end tag, and ignores the end of a template in which a table or division is open: all words and
links after it would be hidden. The HTML standard (13.2.6.5, 13.2.6.4.4) ends both at their end
tags, and a drawing also at a tag that cannot stand in one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

_DRAWINGS = ("svg", "math")
MAY_HIDE_MORE = (*_DRAWINGS, "template")
"""The elements that decide whether an end may be missing."""
_RAW = ("title", "style", "script", "textarea", "iframe", "noembed", "noframes", "xmp")
_OUTRANKING = "div|table|thead|tbody|tfoot|tr|td|th"
"""Elements that libxml2 lets only their parents end: an end of a template in them is ignored."""
_OPENED = re.compile(rf"<(?:{_OUTRANKING})(?=[\s/>])")
_CLOSED = re.compile(rf"</(?:{_OUTRANKING})(?=[\s/>])")
_TOKEN = re.compile(
    r"<(?:!--.*?(?:-->|\Z)|(?P<name>/?[a-z][^\s/>]*+)"
    r"""(?P<attributes>(?:[^>"'=]++|=\s*+(?:"[^"]*+"?|'[^']*+'?)?+|["'])*+)>?)""",
    re.IGNORECASE | re.DOTALL,
)
_NOT_IN_DRAWINGS = frozenset(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li"
    " listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul"
    " var".split()
)


def close_unclosed(html: str, elements: Sequence[Any]) -> str:
    """The page with those ends written out; the same string if none is missing.

    `elements` has at least all drawings and templates of the tree that libxml2 makes of the page.
    """
    if _may_hide_more(html, elements):
        edits = _Edits(html)
        edits.read()
        return edits.apply()
    return html


def _may_hide_more(html: str, elements: Sequence[Any]) -> bool:
    has_template = False
    for element in elements:
        if element.tag == "template":
            has_template = True
        elif element.tag in _DRAWINGS and any(
            "<" in (raw.text or "") for raw in element.iter(*_RAW)
        ):
            return True
    return has_template and _is_unbalanced(html)


def _is_unbalanced(html: str) -> bool:
    """Whether anything that outranks a template may be open at the end of one."""
    after = html.lower().split("<template")[1:]
    inside = "".join(piece.rpartition("</template")[0] or piece for piece in after)
    return len(_OPENED.findall(inside)) != len(_CLOSED.findall(inside))


@dataclass(slots=True)
class _Edits:
    """The `changes` of a page, each a stretch of it and the text that replaces it, in its order."""

    html: str
    changes: list[tuple[int, int, str]] = field(default_factory=list)
    drawings: list[str] = field(default_factory=list)
    raw: str = ""
    """The unclosed element of the drawing whose content libxml2 would not read as tags."""
    templates: list[int] = field(default_factory=list)
    """Where the content of each open template begins."""

    def read(self) -> None:
        """Goes through the tags of the page."""
        at = 0
        while tag := _TOKEN.search(self.html, at):
            at, name = tag.end(), (tag["name"] or "").lower()
            if name == "/template" and self.templates:
                self._end_template(tag.start())
            elif self.drawings:
                self._read_in_drawing(tag, name)
            elif name in _RAW:
                at = self._end_of(name, at)
            elif not tag["attributes"] or not tag["attributes"].endswith("/"):
                self._open(tag, name)

    def apply(self) -> str:
        """The page with its changes."""
        pieces: list[str] = []
        done = 0
        for start, end, text in self.changes:
            pieces += (self.html[done:start], text)
            done = end
        return "".join((*pieces, self.html[done:])) if pieces else self.html

    def _open(self, tag: re.Match[str], name: str) -> None:
        if name in _DRAWINGS:
            self.drawings.append(name)
        elif name == "template" and "shadowrootmode" not in tag["attributes"].lower():
            self.templates.append(tag.end())

    def _end_template(self, end: int) -> None:
        """Removes the content of outermost templates, which browsers do not show."""
        start = self.templates.pop()
        self.drawings, self.raw = [], ""
        if not self.templates:
            while self.changes and self.changes[-1][0] >= start:
                self.changes.pop()
            self.changes.append((start, end, ""))

    def _read_in_drawing(self, tag: re.Match[str], name: str) -> None:
        closing = f"</{self.raw}>" if self.raw else ""
        if name == f"/{self.drawings[-1]}":
            self._insert(tag.start(), closing)
            self.drawings.pop()
        elif self.raw and name == f"/{self.raw}":
            self.raw = ""
        elif self.raw and self.raw != "title" and name in _NOT_IN_DRAWINGS:
            self._insert(tag.start(), closing + f"</{self.drawings[0]}>")
            self.drawings = []
        elif not tag["attributes"] or not tag["attributes"].endswith("/"):
            self.raw = name if name in _RAW and not self.raw else self.raw
            self.drawings += [name] * (name in _DRAWINGS)

    def _insert(self, at: int, text: str) -> None:
        if text and self.raw:
            self.changes.append((at, at, text))
        self.raw = ""

    def _end_of(self, name: str, at: int) -> int:
        """Where the raw text of an element outside of drawings ends."""
        end = re.compile(f"</{name}(?=[\\s/>])", re.IGNORECASE).search(self.html, at)
        return end.start() if end else len(self.html)
