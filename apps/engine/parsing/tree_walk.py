"""The traversal of a repaired tag tree: its text in chunks, and the positions of its links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from lxml import etree

from apps.engine.model import Ints
from apps.engine.parsing.markup import ROLES, Role

_SOFT_HYPHEN = "\xad"


@dataclass(slots=True)
class TreeContents:
    """The text of a page as `chunks` to be joined, with a space wherever words end.

    Link occurrence j points to `hrefs[j]` as written and contains chunks starts[j] to ends[j];
    `notes` are the base, meta and link elements, `title` is the text of the first title.
    """

    chunks: list[str] = field(default_factory=list)
    hrefs: list[str] = field(default_factory=list)
    nodes: list[Any] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    notes: list[Any] = field(default_factory=list)
    title: str | None = None
    scripts: int = 0
    _opened: list[int] = field(default_factory=list)

    def text(self) -> str:
        """The chunks joined, without soft hyphens."""
        text = "".join(self.chunks)
        if _SOFT_HYPHEN in text:
            self.chunks[:] = [chunk.replace(_SOFT_HYPHEN, "") for chunk in self.chunks]
            return "".join(self.chunks)
        return text

    def open_anchor(self, element: Any) -> None:
        href = element.get("href")
        if href is not None:
            self._opened.append(len(self.hrefs))
            self._link(href, element)

    def close_anchor(self, element: Any) -> None:
        if self._opened and self.nodes[self._opened[-1]] is element:
            self.ends[self._opened.pop()] = len(self.chunks)
            self.chunks.append(" ")

    def note(self, role: Role, element: Any) -> None:
        """Adds an element without text."""
        if role is Role.SCRIPT:
            self.scripts += 1
        elif role is Role.HEAD_NOTE:
            self.notes.append(element)
        elif role is Role.TITLE:
            if self.title is None and next(element.iterancestors("svg"), None) is None:
                self.title = element.text
        elif role is not Role.HIDDEN:
            href = element.get("href" if role is Role.AREA else "src")
            if href is not None:
                self._link(href, element)

    def _link(self, href: str, element: Any) -> None:
        self.chunks.append(" ")
        self.hrefs.append(href)
        self.nodes.append(element)
        self.starts.append(len(self.chunks))
        self.ends.append(len(self.chunks))


def walk(root: Any) -> TreeContents:
    """Reads the text and links below `root`, without hidden elements."""
    contents = TreeContents()
    add, role_of, anchor, line_break = contents.chunks.append, ROLES.get, Role.ANCHOR, Role.BREAK
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        role = role_of(element.tag)
        if event == "start":
            if role is anchor:
                contents.open_anchor(element)
            elif role is not None:
                add(" ")
                if role is not line_break:
                    contents.note(role, element)
                    walker.skip_subtree()
                    continue
            text = element.text
        else:
            if role is anchor:
                contents.close_anchor(element)
            elif role is not None:
                add(" ")
            text = element.tail
        if text:
            add(text)
    return contents


def chunk_offsets(chunks: Sequence[str]) -> Ints:
    """The offset of each chunk in the joined text, in characters, and the end of the last one."""
    offsets = np.zeros(len(chunks) + 1, np.int32)
    np.cumsum(np.fromiter(map(len, chunks), np.int32, len(chunks)), out=offsets[1:])
    return offsets
