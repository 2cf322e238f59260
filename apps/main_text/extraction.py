"""The extraction of main text as it is kept: by trafilatura, or what pruning has more of.

Trafilatura is right more often on articles; on pages of products, services, lists and forums it
takes too little, and the pruned page (`pruning.py`) has clearly more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from apps.engine.parsing.markup import Markup
from apps.main_text.article import Block
from apps.main_text.fast import FastPage, word_count
from apps.main_text.pruning import prune

CLEARLY_MORE = 1.3
"""The pruned page's text is taken if it is so many times longer."""
_NAMES_OF_SECTIONS = frozenset(("div", "list", "table"))
_NAMES_OF_LINES = frozenset(("p", "head", "quote"))


def main_blocks(page: str, tree: Any, url: str, written: Markup | None = None) -> list[Block]:
    """The main text of a page; `tree` is the same page by lxml.html, `written` its `read_markup`;
    both may be changed."""
    careful = _careful_blocks(tree, url)
    pruned = FastPage(prune(page, written)).visible_blocks
    return pruned if _length(pruned) > CLEARLY_MORE * _length(careful) else careful


def _length(blocks: list[Block]) -> int:
    return sum(word_count(block.text) for block in blocks)


def _careful_blocks(tree: Any, url: str) -> list[Block]:
    from trafilatura import bare_extraction

    document: Any = bare_extraction(
        tree, url=url, fast=True, include_formatting=True, include_tables=True, with_metadata=False
    )
    if document is None:
        return []
    text, comments = map(_blocks_with_text, (document.body, document.commentsbody))
    # Comments are the text of a forum, not of an article.
    return text + comments if _length(comments) > _length(text) else text


def _blocks_with_text(body: Any) -> list[Block]:
    return [] if body is None else [block for block in _blocks(body) if block.text]


def _blocks(parent: Any) -> Iterator[Block]:
    for element in parent:
        name = element.tag
        if name == "head":
            yield Block("heading", _text(element), _level(element.get("rend")))
        elif name == "list":
            yield from (Block("item", _text(item)) for item in element.iter("item"))
        elif name == "table":
            yield from map(_row, element.iter("row"))
        elif name == "quote":
            yield Block("quote", _text(element))
        elif name == "code":
            yield Block("code", "".join(element.itertext()).strip("\n"))
        elif name == "div":
            yield from _blocks(element)
        else:
            yield from _paragraph(element)


def _paragraph(element: Any) -> Iterator[Block]:
    """A paragraph, in pieces if a list or a table stands within it."""
    inner = [child for child in element if child.tag in _NAMES_OF_SECTIONS]
    yield Block("paragraph", _text(element))
    yield from _blocks(inner)


def _row(row: Any) -> Block:
    cells = list(row.iter("cell"))
    heads = cells and all(cell.get("role") == "head" for cell in cells)
    return Block("row", "\t".join(" ".join(_text(c).split()) for c in cells), int(bool(heads)))


def _level(rend: str | None) -> int:
    level = re.fullmatch("h([1-6])", rend or "")
    return int(level[1]) if level else 2


def _text(element: Any) -> str:
    """The words of an element without those of sections within it; a line after each break, and for
    each paragraph in it, as a cell may have several."""
    lines = "".join(_pieces(element)).split("\n")
    return "\n".join(filter(None, (" ".join(line.split()) for line in lines)))


def _pieces(element: Any) -> Iterator[str]:
    yield (element.text or "").replace("\n", " ")
    for child in element:
        if child.tag == "lb":
            yield "\n"
        elif child.tag not in _NAMES_OF_SECTIONS:
            around = "\n" if child.tag in _NAMES_OF_LINES else ""
            yield from (around, *_pieces(child), around)
        yield (child.tail or "").replace("\n", " ")
