"""What a model said of a page, remembered for the next crawl of the same pages.

Only what depends on the page and the model alone may be remembered: not on the order of a crawl,
nor on the ids that its vocabulary gives to words that no example has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from apps.engine.model import Document

Said = TypeVar("Said")
MOST = 200_000


class PageMemory(Generic[Said]):
    """The answers of one model, for documents that can be told apart by their key (`Kept`).

    Emptied when it holds 200,000.
    """

    def __init__(self) -> None:
        self._said: dict[tuple[int, int], Said] = {}

    def recall(self, document: Document, compute: Callable[[], Said]) -> Said:
        """The remembered answer, or a computed one."""
        kept = document.kept
        if kept is None:
            return compute()
        said = self._said.get(kept.key)
        if said is None:
            said = compute()
            self.remember(document, said)
        return said

    def known(self, document: Document) -> Said | None:
        """The remembered answer, or None."""
        return None if document.kept is None else self._said.get(document.kept.key)

    def remember(self, document: Document, said: Said) -> None:
        """Remembers an answer, if the document has a key."""
        if document.kept is None:
            return
        if len(self._said) >= MOST:
            self._said.clear()
        self._said[document.kept.key] = said
