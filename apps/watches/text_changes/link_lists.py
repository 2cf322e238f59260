"""Changes of a list page that are no more than new links: its entries came and went."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from apps.engine.answers import Answer
from apps.engine.parsing.markup import tree
from apps.engine.parsing.text import decode
from apps.watches.text_changes.differences import Difference, Edit, Passage

MOST_BESIDE = 2
"""Blocks of an entry besides its link: a teaser, a date."""


def link_texts(answer: Answer) -> frozenset[str]:
    """The texts of the links of a page, as they are compared."""
    text, _ = decode(answer.body, answer.header("content-type"))
    root, _ = tree(text)
    if root is None:
        return frozenset()
    texts = (_plain("".join(link.itertext())) for link in root.iter("a") if link.get("href"))
    return frozenset(text for text in texts if text)


def new_links(difference: Difference, before: frozenset[str], after: frozenset[str]) -> int | None:
    """How many links have come, if all that has changed are entries of a list: links, each with up
    to two blocks beside it. None if something else has changed too. `before` and `after` are the
    texts of the links of both copies."""
    number = 0
    for run in _runs(difference.passages):
        links = [passage for passage in run if _is_link(passage, before, after)]
        if len(run) - len(links) > MOST_BESIDE * len(links):
            return None
        number += sum(bool(passage.after) for passage in links)
    return number


def _runs(passages: Iterable[Passage]) -> Iterator[Sequence[Passage]]:
    """The passages that count, by those that stand together."""
    run: list[Passage] = []
    for passage in passages:
        if passage.counts:
            run.append(passage)
        elif passage.edit is Edit.SAME and run:
            yield run
            run = []
    if run:
        yield run


def _is_link(passage: Passage, before: frozenset[str], after: frozenset[str]) -> bool:
    was = not passage.before or _plain(passage.before) in before
    return was and (not passage.after or _plain(passage.after) in after)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
