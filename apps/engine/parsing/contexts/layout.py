"""The positions of the words and leaves of each element of a page, for contexts that use the tag
tree.

The layout is a second traversal of the tag tree, made on demand. It splits words like the first
one, so that its positions are those of the document.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from lxml import etree

from apps.engine.model import Document, Ints
from apps.engine.parsing.markup import ROLES, ElementRole
from apps.engine.parsing.words import word_spans

_SOFT_HYPHEN = "\xad"


@dataclass(frozen=True, slots=True)
class Layout:
    """Elements in document order (0 is the root) and leaves from left to right.

    The parent of element i is `parent[i]` (the root's is itself). Its words, those that begin or
    end in it, are at positions start[i] to end[i] of the document; its leaves are leaf_start[i] to
    leaf_end[i]. Leaf m has the words that begin in it, leaf_word[m] to leaf_word[m + 1]. `links[j]`
    is the element of the document's occurrence j; `anchors` are all outermost anchors with an href,
    including those that do not lead to a page.
    """

    parent: Ints
    start: Ints
    end: Ints
    leaf_start: Ints
    leaf_end: Ints
    leaf_word: Ints
    links: Ints
    anchors: Ints


@dataclass(slots=True)
class LayoutLater:
    """Stands for the layout of a page that was read without it. Whoever receives the page sets
    `make`, which is called when a context first asks."""

    make: Callable[[], Layout] | None = None
    _made: Layout | None = None

    def layout(self) -> Layout:
        if self._made is None:
            assert self.make is not None
            self._made = self.make()
        return self._made


@dataclass(slots=True)
class _Walk:
    """The columns of a traversal; positions are numbers of chunks."""

    chunks: list[str] = field(default_factory=list)
    elements: list[Any] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    start: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    leaf_start: list[int] = field(default_factory=list)
    leaf_end: list[int] = field(default_factory=list)
    leaves: list[int] = field(default_factory=list)
    anchors: list[int] = field(default_factory=list)
    title_leaf: int | None = None


def layout(document: Document) -> Layout:
    """The layout of a document from its tree, unless it has its layout already.

    Leaves are non-blank text nodes and elements without leaves below them; script, style and other
    hidden elements have no leaf (AFC §2.2.1). The words of the title are in the title's leaf.
    """
    if isinstance(document.tree, Layout):
        return document.tree
    if isinstance(document.tree, LayoutLater):
        return document.tree.layout()
    walk = _walked(document.tree)
    chunks = [chunk.replace(_SOFT_HYPHEN, "") for chunk in walk.chunks]
    begins, ends = word_spans("".join(chunks))
    offsets = _offsets(chunks)
    first = document.text_start
    start = first + np.searchsorted(ends, offsets[walk.start], "right")
    end = np.maximum(start, first + np.searchsorted(begins, offsets[walk.end]))
    start[0] = 0
    leaf_word = first + np.searchsorted(begins, offsets[[*walk.leaves, -1]])
    if walk.title_leaf is not None and leaf_word[walk.title_leaf] == first:
        leaf_word[: walk.title_leaf + 1] = 0
    number_of = dict(zip(walk.elements, range(len(walk.elements)), strict=True))
    return Layout(
        parent=np.array(walk.parent, np.int32),
        start=start.astype(np.int32),
        end=end.astype(np.int32),
        leaf_start=np.array(walk.leaf_start, np.int32),
        leaf_end=np.array(walk.leaf_end, np.int32),
        leaf_word=leaf_word.astype(np.int32),
        links=np.array([number_of[node] for node in document.links.nodes], np.int32),
        anchors=np.array(walk.anchors, np.int32),
    )


def _offsets(chunks: Sequence[str]) -> Ints:
    """The offset of each chunk in the joined text, in characters, and the end of the last one."""
    offsets = np.zeros(len(chunks) + 1, np.int32)
    np.cumsum(np.fromiter(map(len, chunks), np.int32, len(chunks)), out=offsets[1:])
    return offsets


def without_tree(document: Document) -> Document:
    """The document with its layout instead of its tree, which is large and cannot be pickled."""
    if document.tree is None:
        return document
    return _with_tree(document, layout(document))


def with_layout_later(document: Document, parse: Callable[[], Document]) -> Document:
    """The document without its tree; its layout is made of what `parse` returns once a context asks
    for it."""
    if document.tree is None:
        return document
    return _with_tree(document, LayoutLater(lambda: layout(parse())))


def _with_tree(document: Document, tree: Layout | LayoutLater) -> Document:
    return replace(document, tree=tree, links=replace(document.links, nodes=()))


def first_links(document: Document, most: int) -> Document:
    """The document with the links to its first `most` distinct targets only."""
    tree = document.tree
    if isinstance(tree, LayoutLater):
        whole = tree
        tree = LayoutLater(lambda: _of_first_links(whole.layout(), document, most))
    elif isinstance(tree, Layout):
        tree = _of_first_links(tree, document, most)
    links = document.links.first(most)
    return replace(document, links=links, tree=tree, text_mark=None, prepared=None)


def _of_first_links(tree: Layout, document: Document, most: int) -> Layout:
    return replace(tree, links=tree.links[document.links.target < most])


def _walked(root: Any) -> _Walk:
    """Traverses the tree; `chunks` collect the text, with a space wherever words end."""
    walk = _Walk()
    chunks, leaves, inside = walk.chunks, walk.leaves, [0]
    role_of, anchor = ROLES.get, ElementRole.ANCHOR
    in_anchor = -1
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        role = role_of(element.tag)
        linked = role is anchor and element.get("href") is not None
        if linked or (role is not None and role is not anchor):
            chunks.append(" ")
        if event == "start":
            number = _opened(walk, element, inside[-1])
            inside.append(number)
            if linked and in_anchor < 0:
                in_anchor = number
                walk.anchors.append(number)
            if role is not None and role > anchor:
                walker.skip_subtree()
                continue
            text = element.text
        else:
            number = inside.pop()
            if number == in_anchor:
                in_anchor = -1
            _closed(walk, number, role)
            text = element.tail
        if text:
            if not text.isspace():
                leaves.append(len(chunks))
            chunks.append(text)
    return walk


def _opened(walk: _Walk, element: Any, parent: int) -> int:
    """Adds an element and returns its number."""
    walk.elements.append(element)
    walk.parent.append(parent)
    walk.start.append(len(walk.chunks))
    walk.end.append(0)
    walk.leaf_start.append(len(walk.leaves))
    walk.leaf_end.append(0)
    return len(walk.elements) - 1


def _closed(walk: _Walk, number: int, role: ElementRole | None) -> None:
    walk.end[number] = len(walk.chunks)
    if len(walk.leaves) == walk.leaf_start[number] and role not in (
        ElementRole.SCRIPT,
        ElementRole.HIDDEN,
    ):
        if role is ElementRole.TITLE and walk.title_leaf is None:
            walk.title_leaf = len(walk.leaves)
        walk.leaves.append(len(walk.chunks))
    walk.leaf_end[number] = len(walk.leaves)
