"""Reads a stored page as a person does. Call it in a process that may be killed (`reader.py`)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from apps.engine.answers import Answer
from apps.engine.kinds import DocumentKind
from apps.engine.parsing.document import read_markup
from apps.engine.parsing.languages import languages
from apps.engine.parsing.markup import Markup
from apps.engine.parsing.opt_outs.reading import read_signs
from apps.engine.parsing.text import decode
from apps.main_text.article import LONGEST, Article, Block, Dated, Marks, cut
from apps.main_text.dates import date_of, declared_day
from apps.main_text.extraction import main_blocks
from apps.main_text.fast import MOST_CHARACTERS, FastPage
from apps.main_text.head import author_of, read_declarations, title_of

_PLAIN_TEXT = re.compile(r"\s*text/(?!html|xml|[\w.-]+\+xml)", re.IGNORECASE)
_PARAGRAPHS = re.compile(r"\n\s*\n")


def read_article(answer: Answer) -> Article:
    """The article of a page, from its first million characters."""
    if answer.converted is not None and _is_document(answer):
        article = _read_document(answer.converted.html.decode()[:MOST_CHARACTERS])
        # A document has no signs but those of its headers.
        return replace(article, signs=read_signs(answer.headers, ""))
    shown = answer.as_page()
    content_type = shown.header("content-type") or ""
    page = decode(shown.body, content_type)[0][:MOST_CHARACTERS]
    if _PLAIN_TEXT.match(content_type):
        return replace(_article(_paragraphs(page)), signs=read_signs(answer.headers, page))
    written = read_markup(page)
    # Before the text is taken out of the tree.
    signs = read_signs(answer.headers, page, written.root)
    return replace(_read_html(page, written, answer.final_url), signs=signs)


def read_marks(answer: Answer) -> Marks:
    """Language and day of a page as `read_article` has them, but by the fast extraction alone."""
    if _is_document(answer):
        article = read_article(answer)
        return Marks(article.language, article.dated)
    shown = answer.as_page()
    content_type = shown.header("content-type") or ""
    page = decode(shown.body, content_type)[0][:MOST_CHARACTERS]
    if _PLAIN_TEXT.match(content_type):
        return Marks(_main_language(page))
    from trafilatura import load_html

    tree = load_html(page)
    if tree is None:
        return Marks()
    fast = FastPage(page)
    head = read_declarations(tree)
    dated = date_of(head, tree, _heading(tree), lambda: fast.visible, answer.final_url)
    return Marks(_main_language(fast.text), dated)


def _is_document(answer: Answer) -> bool:
    return answer.converted is not None and answer.converted.kind is not DocumentKind.PAGE


def _main_language(text: str) -> str:
    return next((code for code, _ in languages(text[:LONGEST].splitlines())), "")


def _read_html(page: str, written: Markup, url: str) -> Article:
    from trafilatura import load_html

    tree = load_html(page)
    if tree is None:
        return Article()
    head = read_declarations(tree)
    heading = _heading(tree)
    dated = date_of(head, tree, heading, lambda: FastPage(page).visible, url)
    title, author = title_of(head, heading, url), author_of(head)
    return _article(main_blocks(page, tree, url, written), title=title, author=author, dated=dated)


def _read_document(page: str) -> Article:
    """A document as it was converted: all of its text, with the author and the date that its file
    declares."""
    from trafilatura import load_html

    tree = load_html(page)
    if tree is None:
        return Article()
    head = read_declarations(tree)
    day = declared_day(head)
    blocks = [
        Block("paragraph", text)
        if element.tag == "p"
        else Block("heading", text, int(element.tag[1]))
        for element in tree.iter("p", "h1", "h2", "h3", "h4", "h5", "h6")
        if (text := element.text_content().strip())
    ]
    dated = Dated(day, "file") if day else None
    return _article(blocks, title=head.title, author=author_of(head), dated=dated)


def _heading(tree: Any) -> str:
    """The words of the first heading of the first level."""
    words = next((element.text_content() for element in tree.iter("h1")), "")
    return " ".join(words.split())


def _article(blocks: list[Block], **others: object) -> Article:
    blocks_kept = cut(blocks)
    spoken = languages([block.text for block in blocks_kept if block.kind != "code"])
    return Article(blocks_kept, languages=spoken, **others)  # type: ignore[arg-type]


def _paragraphs(text: str) -> list[Block]:
    pieces = (piece.strip("\n") for piece in _PARAGRAPHS.split(text))
    return [Block("paragraph", piece) for piece in pieces if piece.strip()]
