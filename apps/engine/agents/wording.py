"""Numbers the words of pages, so that each word travels once between an agent and its coordinator.

The agent numbers the words it meets; the coordinator, which gets all messages in order, looks each
of them up once. Both ends begin anew when there are too many words for one table.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from apps.engine.model import Document, Ints
from apps.engine.numbered_words import Lexicon, NumberedWords

MOST_WORDS = 200_000


class AgentNumbers(dict[str, int]):
    """The agent's end: the number of each word it has met."""

    def __init__(self) -> None:
        super().__init__()
        self._new: list[str] = []

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        self._new.append(word)
        return number

    def of(self, words: Sequence[str]) -> tuple[Ints, int, str]:
        """The values of `ArrivingWords` for a text, which must be sent next."""
        if len(self) >= MOST_WORDS:
            self.clear()
        after, self._new = len(self), []
        ids = np.fromiter(map(self.__getitem__, words), np.int32, len(words))
        return ids, after, " ".join(self._new)


class ArrivingWords(NumberedWords):
    """The words of a page as they arrive, with those that the coordinator has not met: the words of
    its lexicon from number `after` on. With 0 a new lexicon begins."""

    __slots__ = ("after", "text")

    def __init__(self, ids: Ints, after: int, text: str) -> None:
        super().__init__(ids, ())
        self.after = after
        self.text = text


class CoordinatorWords:
    """The coordinator's end: the words that one agent has numbered."""

    def __init__(self) -> None:
        self._lexicon = Lexicon()

    def enter(self, document: Document | None) -> None:
        """Gives the words of a page their lexicon. Pages must be entered in the order in which they
        were sent: raises ValueError if one was left out."""
        words = document.words if document is not None else None
        if not isinstance(words, ArrivingWords):
            return
        if words.after == 0:
            self._lexicon = Lexicon()
        if len(self._lexicon) != words.after:
            raise ValueError("a page of the agent was left out")
        if words.text:
            self._lexicon += words.text.split(" ")
        words.lexicon = self._lexicon
