"""Which words of a page are its main text, by its tag tree.

What stands in menus, footers, forms and the like is left out, and lists, tables and sections whose
words are mostly those of links; of the rest the part in `main` or in articles is taken. No second
parse is needed, and no class names are read. The words stay those of the whole page, in which link
contexts are read; of them the positions are kept that stand in the main text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from apps.engine.answers import Answer
from apps.engine.kinds import DocumentKind
from apps.engine.model import Document, Ints
from apps.engine.networking.page_store.records import with_body
from apps.engine.parsing.document import is_plain_text, parse, read_tree
from apps.engine.parsing.large_pages import is_large
from apps.engine.parsing.text import decode
from apps.engine.parsing.tree_walk import INSIDE, literal, stylesheet, template, without
from apps.engine.parsing.words import word_spans

LEAST_SHARE = 0.2
"""Of a page whose main text is a smaller part of its visible words, all of them are read: it has
no main text, as a list of products has none."""
LARGEST_PART = 0.5
"""What has a larger part of the page's words is not left out: the form or the menu is the page."""
MOST_LINKED = 0.8
"""The share of its words in links above which a list or a section is left out."""
FEWEST_WORDS = 3
"""A list or section of fewer words is never taken for one of links."""
LEAST_IN_MAIN = 0.3
"""The share of what is left that `main` or the articles must have to be taken alone."""
_MARK, _CLOSE = "\x7f", " "
_KINDS = {
    "!": ("aside", "button", "dialog", "footer", "form", "nav", "select"),
    "+": ("div", "dl", "li", "ol", "p", "section", "table", "ul"),
    "*": ("main",),
    "=": ("article",),
    "&amp;": ("a[@href]",),
}
_LEFT_OUT, _MEASURED, _MAIN, _ARTICLE, _LINK = map(ord, "!+*=&")
_SOFT_HYPHEN = "\xad"
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Blocks:
    """The marked elements in document order: element i is of a `kind` and has the words from
    start[i] to end[i] of `size` words."""

    kind: NDArray[np.uint32]
    start: Ints
    end: Ints
    size: int

    def cover(self, chosen: Flags) -> Flags:
        """Whether each word stands in one of the chosen elements."""
        borders = np.bincount(self.start[chosen], minlength=self.size + 1)
        borders -= np.bincount(self.end[chosen], minlength=self.size + 1)
        return np.cumsum(borders[:-1]) > 0


def parse_judged(answer: Answer, main_text: bool) -> Document:
    """The document of an answer, with its main text if pages are judged by that."""
    document = parse(answer)
    return with_main_text(document, answer) if main_text else document


def with_main_text(document: Document, answer: Answer) -> Document:
    """The document with the positions of its main text: of the title's words and of those in the
    text; of all visible words if it has no main text. One that is no HTML, and a large page, stay
    as they are, and one whose main text was read before.

    Judgements that are remembered for a prepared page are of its whole text: it is no longer one.
    """
    if document.kind is not DocumentKind.PAGE or document.main is not None:
        return document
    whole = with_body(answer).as_page()
    if is_plain_text(whole.header("content-type")) or is_large(whole):
        return document
    root, words = _root(document, whole), document.visible - document.text_start
    is_main = None if root is None else main_words(root)
    if is_main is None or len(is_main) != words:
        is_main = np.ones(words, np.bool_)
    in_title = np.ones(document.text_start, np.bool_)
    main = np.flatnonzero(np.concatenate((in_title, is_main))).astype(np.int32)
    prepared = document.prepared if len(main) == document.visible else None
    return replace(document, main=main, prepared=prepared)


def _root(document: Document, page: Answer) -> Any:
    """The root of the page's tag tree, which is made again if the document was read elsewhere."""
    if isinstance(document.tree, etree._Element):
        return document.tree
    return read_tree(decode(page.body, page.header("content-type"))[0])[0]


def main_words(root: Any) -> Flags:
    """Whether each visible word below the root is one of the main text."""
    blocks = _read_blocks(root)
    if not blocks.size:
        return np.zeros(0, np.bool_)
    rest = ~blocks.cover(_is_left_out(blocks))
    main = rest & blocks.cover(blocks.kind == _MAIN)
    if not main.any():
        main = rest & blocks.cover(blocks.kind == _ARTICLE)
    if main.sum() >= LEAST_IN_MAIN * rest.sum():
        rest = main
    return rest if rest.sum() >= LEAST_SHARE * blocks.size else np.ones(blocks.size, np.bool_)


def _is_left_out(blocks: _Blocks) -> Flags:
    """Whether each element is left out with all that it contains."""
    words = blocks.end - blocks.start
    linked = np.concatenate(([0], np.cumsum(blocks.cover(blocks.kind == _LINK))))
    in_links = linked[blocks.end] - linked[blocks.start]
    is_menu = (blocks.kind == _MEASURED) & (words >= FEWEST_WORDS)
    is_menu &= in_links > MOST_LINKED * words
    is_left_out: Flags = (blocks.kind == _LEFT_OUT) | is_menu
    return is_left_out & (words <= LARGEST_PART * blocks.size)


def _read_blocks(root: Any) -> _Blocks:
    for sheet in (_marked_text, _marked_text_without_others):
        text = str(sheet(root)).replace(_SOFT_HYPHEN, "")
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        at = np.flatnonzero(codes[:-1] == ord(_MARK))
        kind = codes[at + 1]
        is_end = kind == ord(_CLOSE)
        depth = np.cumsum(np.where(is_end, -1, 1))
        if not len(depth) or (depth[-1] == 0 and depth.min() >= 0):
            break  # else the page has such a character itself
    begins, _ = word_spans(text)
    # By depth, each element's beginning and end are neighbours.
    order = np.argsort(depth + is_end, kind="stable")
    starts, ends = order[::2], order[1::2]
    position = begins.searchsorted(at).astype(np.int32)
    return _Blocks(kind[starts], position[starts], position[ends], len(begins))


def _marks() -> list[str]:
    end = literal(_MARK + _CLOSE)
    return [
        template("|".join(names), literal(f" {_MARK}{kind} ") + INSIDE + end)
        for kind, names in _KINDS.items()
    ]


_marked_text = stylesheet(*_marks())
_marked_text_without_others = stylesheet(*_marks(), without(_MARK))
