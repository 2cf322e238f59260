"""The fast extraction of main text, by resiliparse: some two parses of the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Literal

from lxml import html as lxml_html

from apps.engine.answers import Answer
from apps.engine.parsing.document import is_plain_text
from apps.engine.parsing.text import decode
from apps.main_text.article import Block, Kind

MOST_CHARACTERS = 1_000_000
"""Characters of a page that are read."""
LEAST_SHARE = 0.1
"""Of a page whose main text is a smaller part of its visible words, all of them are taken: it has
no main text, as a list of products has none."""
_BLANK = re.compile(r"[^\S\n]+")
Formatting = bool | Literal["minimal_html"]
_KINDS: dict[str, Kind] = {
    "p": "paragraph",
    "li": "item",
    "pre": "code",
    "blockquote": "quote",
}


class FastPage:
    """A page parsed once, from which its texts are extracted."""

    def __init__(self, page: str) -> None:
        from resiliparse.parse.html import HTMLTree

        self._tree = HTMLTree.parse(page)

    @cached_property
    def visible(self) -> str:
        """All visible text, one paragraph a line."""
        return self._extract(main_content=False, preserve_formatting=True)

    @cached_property
    def text(self) -> str:
        """The main text, one paragraph a line."""
        main = self._extract(main_content=True, preserve_formatting=True)
        return main if self._is_enough(main) else self.visible

    @cached_property
    def visible_blocks(self) -> list[Block]:
        """All visible text by paragraphs, headings, items and rows."""
        markup = self._extract(main_content=False, preserve_formatting="minimal_html")
        return [block for block in _read(markup) if block.text] if markup.strip() else []

    def _is_enough(self, main: str) -> bool:
        return word_count(main) >= LEAST_SHARE * word_count(self.visible)

    def _extract(self, main_content: bool, preserve_formatting: Formatting) -> str:
        from resiliparse.extract.html2text import extract_plain_text

        text: str = extract_plain_text(
            self._tree,
            main_content=main_content,
            alt_texts=False,
            list_bullets=False,
            preserve_formatting=preserve_formatting,
        )
        return text


def fast_text(answer: Answer) -> str:
    """The main text of an answer in one line; empty if it is no HTML or has no words."""
    shown = answer.as_page()
    content_type = shown.header("content-type")
    if is_plain_text(content_type):
        return ""
    page = decode(shown.body, content_type)[0][:MOST_CHARACTERS]
    return " ".join(FastPage(page).text.split())


def word_count(text: str) -> int:
    """The number of words between blanks."""
    return len(text.split())


def _read(markup: str) -> Iterator[Block]:
    root = lxml_html.fragment_fromstring(markup, create_parent="div")
    yield from _lines(root.text)
    for element in root:
        yield from _element(element)
        yield from _lines(element.tail)


def _element(element: lxml_html.HtmlElement) -> Iterator[Block]:
    name = str(element.tag)
    if name in ("ul", "ol"):
        yield from (Block("item", _joined(item)) for item in element.iter("li"))
    elif name == "pre":
        yield Block("code", element.text_content().strip("\n"))
    elif re.fullmatch("h[1-6]", name):
        yield Block("heading", _joined(element), int(name[1]))
    else:
        yield Block(_KINDS.get(name, "paragraph"), _joined(element))


def _lines(text: str | None) -> Iterator[Block]:
    """Text outside of elements: each line a paragraph, or a row if it has tabs."""
    for line in (text or "").splitlines():
        if "\t" in line:
            cells = (" ".join(cell.split()) for cell in re.split(r"\t+", line.strip()))
            yield Block("row", "\t".join(cells))
        else:
            yield Block("paragraph", " ".join(line.split()))


def _joined(element: lxml_html.HtmlElement) -> str:
    """The words of an element, with a line of their own after each line break."""
    lines = "".join(_with_breaks(element)).split("\n")
    return "\n".join(filter(None, (_BLANK.sub(" ", line).strip() for line in lines)))


def _with_breaks(element: lxml_html.HtmlElement) -> Iterator[str]:
    yield (element.text or "").replace("\n", " ")
    for child in element:
        if child.tag == "br":
            yield "\n"
        else:
            yield from _with_breaks(child)
        yield (child.tail or "").replace("\n", " ")
