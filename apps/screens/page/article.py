"""The main text of a page as it is shown: sections, with words marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.safestring import SafeString

from apps.collection.models import MainText
from apps.main_text.article import Block
from apps.search.query import Clause, Phrase, read_query
from apps.stored_pages.snippets import Snippets
from apps.topics.models import Topic


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks that are shown together: the `lines` of a list, the `rows` of a table with cells, or
    the one line of anything else; `level` is that of a heading."""

    kind: str
    lines: tuple[SafeString, ...] = ()
    rows: tuple[tuple[bool, tuple[SafeString, ...]], ...] = ()
    level: int = 0


def shown_text(text: MainText, snippets: Snippets) -> tuple[Section, ...]:
    """The sections of a text with words marked."""
    return tuple(_sections(text.article, snippets))


def marking(words: str, prefixes: Sequence[str], topic: Topic, language: str) -> Snippets:
    """Marks the words of a search, or without one the topic's keywords."""
    return Snippets(read_query(words, prefixes) or keyword_clauses(topic), language or None)


def keyword_clauses(topic: Topic) -> tuple[Clause, ...]:
    """The keywords as a search for any of them."""
    clauses = [clause for keyword in topic.keywords for clause in read_query(f'"{keyword}"')]
    phrases: tuple[Phrase, ...] = sum((clause.phrases for clause in clauses), ())
    return (Clause(phrases),) if phrases else ()


def _sections(blocks: Sequence[Block], snippets: Snippets) -> Iterator[Section]:
    for kind, group in groupby(blocks, key=lambda block: block.kind):
        together = list(group)
        if kind == "row":
            yield Section("table", rows=tuple(_row(block, snippets) for block in together))
        elif kind == "item":
            yield Section("list", tuple(snippets.marked(block.text) for block in together))
        else:
            for block in together:
                # The page's own title is the heading of the first level.
                level = max(2, block.level) if kind == "heading" else 0
                yield Section(kind, (snippets.marked(block.text),), level=level)


def _row(block: Block, snippets: Snippets) -> tuple[bool, tuple[SafeString, ...]]:
    return bool(block.level), tuple(snippets.marked(cell) for cell in block.text.split("\t"))
