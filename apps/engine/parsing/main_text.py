"""Which words of a page are its main text, by resiliparse's fast extraction.

The words stay those of the whole page, in which link contexts are read; of them the positions are
kept that stand in the main text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from apps.engine.kinds import DocumentKind
from apps.engine.model import Answer, Document, Ints
from apps.engine.networking.page_store import with_body
from apps.engine.parsing.document import is_plain_text, parse
from apps.engine.parsing.large_pages import is_large
from apps.engine.parsing.text import decode
from apps.engine.parsing.words import words

LEAST_SHARE = 0.1
"""Of a page whose main text is a smaller part of its visible words, all of them are read: it has
no main text, as a list of products has none."""
EDGE = 5
"""Words by which the ends of a paragraph are looked for that does not stand in the page as it is:
where an element ends within a word, the two may be split differently."""


def parse_judged(answer: Answer, main_text: bool) -> Document:
    """The document of an answer, with its main text if pages are judged by that."""
    document = parse(answer)
    return with_main_text(document, answer) if main_text else document


def with_main_text(document: Document, answer: Answer) -> Document:
    """The document with the positions of its main text: of the title's words and those of the
    paragraphs. One that is no HTML, a large page, and one without main text stay as they are.

    Judgements that are remembered for a prepared page are of its whole text: it is no longer one.
    """
    if document.kind is not DocumentKind.PAGE:
        return document
    whole = with_body(answer).as_page()
    content_type = whole.header("content-type")
    if is_plain_text(content_type) or is_large(whole):
        return document
    lines = main_lines(decode(whole.body, content_type)[0])
    shown = document.words[: document.visible]
    main = positions(shown, document.text_start, map(words, lines))
    if len(main) - document.text_start < LEAST_SHARE * len(shown):
        return document
    return replace(document, main=main, prepared=None)


def main_lines(page: str) -> list[str]:
    """The main text of a page of HTML, a line a paragraph."""
    # Only crawls that ask for it load the library.
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.html import HTMLTree

    text: str = extract_plain_text(
        HTMLTree.parse(page),
        main_content=True,
        alt_texts=False,
        list_bullets=False,
        preserve_formatting=True,
    )
    return text.splitlines()


def positions(page: Sequence[str], first: int, paragraphs: Iterator[list[str]]) -> Ints:
    """The positions in a page's words of its title, which ends at `first`, and of paragraphs that
    stand in it in their order; one that is not there is left out."""
    # One space before each word and one behind the last: whole words are compared.
    text = f" {' '.join(page)} "
    sizes = np.fromiter(map(len, page), np.int64, len(page)) + 1
    begins = np.concatenate(([0], np.cumsum(sizes)))
    at = int(begins[first])
    spans = [(0, first)]
    for paragraph in filter(None, paragraphs):
        start, end = _stretch(text, paragraph, at)
        if start < 0:
            continue
        at = end
        spans.append((int(begins.searchsorted(start)), int(begins.searchsorted(end))))
    return np.concatenate([np.arange(start, end, dtype=np.int32) for start, end in spans])


def _stretch(text: str, paragraph: list[str], at: int) -> tuple[int, int]:
    """Where a paragraph begins and ends in the text from `at` on, each at the space before a word;
    (-1, -1) if it does not stand there."""
    whole = f" {' '.join(paragraph)} "
    start = text.find(whole, at)
    if start >= 0:
        return start, start + len(whole) - 1
    head, tail = (f" {' '.join(edge)} " for edge in (paragraph[:EDGE], paragraph[-EDGE:]))
    start = text.find(head, at)
    end = text.find(tail, start, start + 2 * len(whole)) if start >= 0 else -1
    return (start, end + len(tail) - 1) if end >= 0 else (-1, -1)
