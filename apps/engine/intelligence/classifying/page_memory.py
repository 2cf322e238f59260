"""A model's answers about pages, remembered for the next crawl of the same pages.

Only what depends on the page and the model alone may be remembered: not on the order of a crawl,
nor on the ids that its vocabulary gives to words that no example has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from apps.engine.model import PageKey

Answer = TypeVar("Answer")
MOST = 200_000


class PageMemory(Generic[Answer]):
    """The answers of one model, for pages with a key (`Document.key`); those of other
    pages are not remembered.

    Emptied when it holds 200,000.
    """

    def __init__(self) -> None:
        self._answers: dict[PageKey, Answer] = {}

    def recall(self, key: PageKey | None, compute: Callable[[], Answer]) -> Answer:
        """The remembered answer, or a computed one."""
        answer = self.lookup(key)
        if answer is None:
            answer = compute()
            self.remember(key, answer)
        return answer

    def lookup(self, key: PageKey | None) -> Answer | None:
        """The remembered answer, or None."""
        return None if key is None else self._answers.get(key)

    def remember(self, key: PageKey | None, answer: Answer) -> None:
        """Remembers an answer, if the page has a key."""
        if key is None:
            return
        if len(self._answers) >= MOST:
            self._answers.clear()
        self._answers[key] = answer
