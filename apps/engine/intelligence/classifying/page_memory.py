"""What a model said of a page, remembered for the next crawl of the same pages.

Only what depends on the page and the model alone may be remembered: not on the order of a crawl,
nor on the ids that its vocabulary gives to words that no example has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from apps.engine.model import PageKey

Said = TypeVar("Said")
MOST = 200_000


class PageMemory(Generic[Said]):
    """The answers of one model, for pages that can be told apart by a key (`Document.key`); of one
    without a key nothing is remembered.

    Emptied when it holds 200,000.
    """

    def __init__(self) -> None:
        self._said: dict[PageKey, Said] = {}

    def recall(self, key: PageKey | None, compute: Callable[[], Said]) -> Said:
        """The remembered answer, or a computed one."""
        said = self.known(key)
        if said is None:
            said = compute()
            self.remember(key, said)
        return said

    def known(self, key: PageKey | None) -> Said | None:
        """The remembered answer, or None."""
        return None if key is None else self._said.get(key)

    def remember(self, key: PageKey | None, said: Said) -> None:
        """Remembers an answer, if the page has a key."""
        if key is None:
            return
        if len(self._said) >= MOST:
            self._said.clear()
        self._said[key] = said
