"""Bounded log-odds of a page's text and of the texts of its links, by the learner's guide."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from apps.engine.intelligence.classifying.text_memory import PageTexts, TextMemory
from apps.engine.intelligence.classifying.text_scoring import score_blocks
from apps.engine.intelligence.evidence.link_evidence import texts_of
from apps.engine.model import Document, Floats, Longs, TokenRows, Visit
from apps.engine.parsing.address import address_words
from apps.engine.parsing.contexts.anchor import anchor
from apps.engine.parsing.contexts.window import window
from apps.engine.representation.tokens import Vocabulary

CERTAIN = 6.0
"""The odds of a text are at most e⁶ to 1, so that none outweighs everything else."""
NO_LINKS = np.empty(0, np.int64)


class OddsGuide(Protocol):
    """Judges texts: a classifier, or the words of a topic. `of_texts` is None if what it says of
    a page may change."""

    @property
    def of_texts(self) -> TextMemory | None: ...

    def log_odds(self, rows: TokenRows) -> Floats: ...


@dataclass(frozen=True, slots=True)
class TextOdds:
    """The log-odds of a page's texts and of new addresses."""

    of_page: PageTexts
    addresses: Floats


class TextReader:
    """Reads the texts of a page by `guide`: `window` words around each link count.

    The last page's log-odds are remembered: a page is judged, then learned from. Those of a page of
    a recorded web stay in the guide's memory for other crawls of the topic.
    """

    def __init__(self, guide: OddsGuide, vocabulary: Vocabulary, window: int) -> None:
        self.guide = guide
        self._vocabulary = vocabulary
        self._window = window
        self._last: tuple[Document, Longs, TextOdds] | None = None

    def read(self, visit: Visit, new: Longs) -> TextOdds:
        """The log-odds of all texts of a page, and of the addresses of its `new` links."""
        last = self._last
        if last is None or last[0] is not visit.document or not np.array_equal(last[1], new):
            last = self._last = visit.document, new, self._read(visit, new)
        return last[2]

    def _read(self, visit: Visit, new: Longs) -> TextOdds:
        urls = [visit.links.urls[link] for link in new.tolist()]
        # Encoded always: which numbers new words get must not depend on what is remembered.
        addresses = self._address_rows(urls)
        memory, key = self.guide.of_texts, visit.document.key
        if memory is None or key is None:
            return self._score(visit, addresses)
        of_page = key, self._window, len(visit.links)
        if (texts := memory.lookup(of_page)) is not None:
            score = partial(self.guide.log_odds, addresses)
            return TextOdds(texts, memory.addresses(urls, score))
        odds = self._score(visit, addresses)
        memory.remember(of_page, odds.of_page)
        memory.remember_addresses(urls, odds.addresses)
        return odds

    def _score(self, visit: Visit, addresses: TokenRows) -> TextOdds:
        page, windows, anchors, of_addresses = score_blocks(
            self.guide.log_odds,
            visit.page(),
            visit.rows(window(visit.document, self._window)),
            visit.rows(anchor(visit.document)),
            addresses,
        )
        links = np.stack([visit.links.best(windows), visit.links.best(anchors)])
        return TextOdds(PageTexts(page[0], links), of_addresses)

    def link_texts(
        self, visit: Visit, new: Longs, page: float | None = None
    ) -> tuple[NDArray[np.float64], Floats]:
        """The evidence that the page adds to each of its links, one row of `texts_of` per link, and
        the log-odds of the words in the `new` links' addresses. `page` are the log-odds of the
        page's own text, by default from the guide."""
        odds = self.read(visit, new)
        own = odds.of_page.page if page is None else page
        return texts_of(own, *bounded(odds.of_page.links)), bounded(odds.addresses)

    def addresses(self, urls: Sequence[str]) -> Floats:
        """The log-odds of the words of addresses."""
        return bounded(self.guide.log_odds(self._address_rows(urls)))

    def forget(self) -> None:
        """Forgets the last page, so that it is read again."""
        self._last = None

    def _address_rows(self, urls: Sequence[str]) -> TokenRows:
        # Numbers have no token id; without them the vocabulary stays small.
        return self._vocabulary.encode_addresses(
            [[word for word in words if not word.isdigit()] for words in address_words(urls)]
        )


def bounded(odds: Floats) -> Floats:
    """Log-odds, none beyond `CERTAIN`."""
    # np.clip takes twice the time on short arrays.
    return np.minimum(np.maximum(odds, -CERTAIN), CERTAIN)


def bounded_odds_of(chance: float) -> float:
    """The log-odds of a chance, not beyond `CERTAIN`."""
    if chance in (0.0, 1.0):
        return CERTAIN if chance else -CERTAIN
    return min(max(math.log(chance) - math.log1p(-chance), -CERTAIN), CERTAIN)


def distinct_links(visit: Visit) -> Longs:
    """The indices of the page's links to distinct URLs other than itself, in order."""
    # For the links of a page a dictionary is faster than sorting them.
    first = {url: index for index, url in reversed([*enumerate(visit.link_numbers.tolist())])}
    first.pop(visit.url_number, None)
    return np.array(sorted(first.values()), np.int64)
