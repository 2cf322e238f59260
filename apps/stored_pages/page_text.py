"""The text of a stored page, as a person reads it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from apps.engine.answers import Answer
from apps.engine.parsing.document import read_tree
from apps.engine.parsing.text import decode
from apps.engine.parsing.tree_walk import TreeContents, walk

_PLAIN_TEXT = re.compile(r"\s*text/(?!html|xml|[\w.-]+\+xml)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class VisibleText:
    """Title and visible text with white space collapsed."""

    title: str
    text: str


def page_text(answer: Answer) -> VisibleText:
    """The text of a page; empty if it has none. Never raises."""
    answer = answer.as_page()
    content_type = answer.header("content-type")
    decoded, _ = decode(answer.body, content_type)
    if _PLAIN_TEXT.match(content_type or ""):
        return VisibleText("", " ".join(decoded.replace("\0", " ").split()))
    root, _ = read_tree(decoded)
    contents = walk(root) if root is not None else TreeContents()
    return VisibleText(
        title=" ".join((contents.title or "").split()),
        text=" ".join(contents.text.split()),
    )
