"""The newest pages of one section of a host, and the evidence that a program generates them.

There are two kinds of evidence. Both need sixty pages of a section without an end in sight: every
ten pages led to at least eight new URLs of the section.

*Repeated.* At least half of the pages have one of a few texts (`page_text`), which occur at least
four times, and the numbers in them hardly differ: a calendar repeats the days of the month, while
gauges and results show different data.

*Combined.* The URLs combine a few parameters in ever new sets or orders, and nine pages in ten add
at most two words to those of the section.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from apps.engine.frontier.page_text import PageText

WINDOW = 60
NO_END = 0.8
OFTEN = 4
REPEATED = 0.5
MOST_UNLIKE = 6
STALE = 0.9
FEW_NEW_WORDS = 2
LARGEST_STOCK = 3000
MOST_NAMES = 20
MOST_PAIRS = 500

NO_MARK = 0


@dataclass(frozen=True, slots=True)
class SuspectPage:
    """A page: its URL number, its URL's shape, the hash of its text (NO_MARK: not evidence),
    the number of new URLs of its section on it, and whether it added words or was not compared."""

    number: int
    shape: str
    mark: int
    new: int
    fresh: bool


@dataclass(slots=True)
class Suspect:
    """The evidence about a section: its newest pages, its words and the parameters of its
    queries."""

    pages: deque[SuspectPage] = field(default_factory=lambda: deque(maxlen=WINDOW))
    texts: dict[int, frozenset[str]] = field(
        default_factory=dict
    )  # those that occur twice, by hash
    stock: set[str] = field(default_factory=set)
    names: set[tuple[str, ...]] = field(default_factory=set)
    pairs: set[str] = field(default_factory=set)
    queries: int = 0

    def add(self, number: int, text: PageText, new: int, elsewhere: bool) -> None:
        """Adds a page with `new` new URLs of its section; `elsewhere`: it has some of others.

        Its text is not compared unless it or one of the newest pages that were compared has led to
        something new: usually none has, since pages lead elsewhere too. So a trap that begins with
        pages that lead elsewhere is detected by those after them.
        """
        is_evidence = not elsewhere and (
            new > 0 or any(p.new and p.mark != NO_MARK for p in self.pages)
        )
        mark = text.mark if is_evidence else NO_MARK
        if mark != NO_MARK and any(page.mark == mark for page in self.pages):
            self.texts[mark] = text.words
        fresh = not is_evidence or not self.is_stale(text)
        self.pages.append(SuspectPage(number, text.shape, mark, new, fresh))
        query = text.url.partition("?")[2]
        if query and len(self.stock) <= LARGEST_STOCK:
            self.stock |= text.words
            self._combine(query.split("&"))
        if len(self.texts) > WINDOW:
            self._forget_texts()

    def is_stale(self, text: PageText) -> bool:
        """Whether a page adds at most two words to those of its section."""
        if not self.stock:
            return text.size <= FEW_NEW_WORDS
        return len(text.words - self.stock) <= FEW_NEW_WORDS

    def repeated(self) -> set[int]:
        """The hashes of the texts that repeat without end; empty without evidence."""
        if not self._has_no_end():
            return set()
        often = {mark: n for mark, n in self._marks().items() if n >= OFTEN}
        repeat = sum(often.values()) >= REPEATED * WINDOW
        return set(often) if repeat and not self._holds_data() else set()

    def _holds_data(self) -> bool:
        """Whether the texts that occur twice contain more than six dissimilar sets of numbers."""
        self._forget_texts()
        unlike: list[set[str]] = []
        for _, words in sorted(self.texts.items()):
            numbers = set(filter(str.isdigit, words))
            if not any(2 * len(numbers & other) > len(numbers | other) for other in unlike):
                unlike += [numbers] if numbers else []
        return len(unlike) > MOST_UNLIKE

    def is_combined(self) -> bool:
        """Whether the section combines parameters without end and adds no new words."""
        if not self._has_no_end() or len(self.stock) > LARGEST_STOCK:
            return False
        stale = sum(not page.fresh for page in self.pages)
        return stale >= STALE * WINDOW and 2 * len(self.pairs) <= self.queries and self._mixed()

    def part_of_it(self, marks: set[int]) -> list[SuspectPage]:
        """The pages that have one of these texts; if `marks` is empty, those that add no words."""
        return [page for page in self.pages if (page.mark in marks if marks else not page.fresh)]

    def texts_of(self, marks: set[int]) -> list[frozenset[str]]:
        """The distinct words of these texts, in a fixed order."""
        return [words for mark, words in sorted(self.texts.items()) if mark in marks]

    def _forget_texts(self) -> None:
        """Drops texts that no remembered page has."""
        left = {page.mark for page in self.pages}
        self.texts = {mark: words for mark, words in self.texts.items() if mark in left}

    def _has_no_end(self) -> bool:
        if len(self.pages) < WINDOW:
            return False
        return sum(page.new for page in self.pages if page.mark != NO_MARK) >= NO_END * WINDOW

    def _marks(self) -> Counter[int]:
        return Counter(page.mark for page in self.pages if page.mark != NO_MARK)

    def _combine(self, parameters: Sequence[str]) -> None:
        self.queries += 1
        if len(self.names) < MOST_NAMES:
            self.names.add(tuple(parameter.partition("=")[0] for parameter in parameters))
        if len(self.pairs) < MOST_PAIRS:
            self.pairs.update(parameters)

    def _mixed(self) -> bool:
        """Whether two URLs have parameter lists of which neither is a prefix of the other."""
        return any(
            first[: len(second)] != second[: len(first)]
            for first, second in combinations(sorted(self.names), 2)
        )

    def state(self) -> dict[str, Any]:
        """The state as plain values."""
        return {
            "pages": [[p.number, p.shape, p.mark, p.new, p.fresh] for p in self.pages],
            "texts": [[mark, sorted(words)] for mark, words in self.texts.items()],
            "stock": sorted(self.stock),
            "names": sorted(self.names),
            "pairs": sorted(self.pairs),
            "asked": self.queries,
        }

    @classmethod
    def of(cls, state: Mapping[str, Any]) -> Suspect:
        """Restores what `state` returned."""
        return cls(
            deque((SuspectPage(*page) for page in state["pages"]), maxlen=WINDOW),
            {mark: frozenset(words) for mark, words in state["texts"]},
            set(state["stock"]),
            {tuple(names) for names in state["names"]},
            set(state["pairs"]),
            state["asked"],
        )
