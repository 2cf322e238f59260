"""People's labels of pages, each beside the learner's own judgement of the page."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.engine.intelligence.evidence.link_evidence import with_page
from apps.engine.intelligence.evidence.text_reader import bounded_odds_of

LABEL_CHANCE = 0.95
"""What a person's label makes of the chance that a page is on the topic: people err, too."""


class PageLabels:
    """The chance set by each page's label, and the learner's own judgement, by page.

    With `by_words` a page labelled off the topic counts by the judgement from before its label,
    until a learner that is not guided by words restores it. **Choice**: the guide of words ranks
    pages by how near they are to the topic, and gives few of them a low chance. People are asked
    about the nearest, and nearly all of these are off the topic: with .05, or judged by a guide
    that has learned from their labels, they would count for less than pages that are far from it,
    and so would the links beside them, which lead to the topic.
    """

    def __init__(self, by_words: bool = False) -> None:
        self._by_words = by_words
        self._chances: dict[int, tuple[float, float]] = {}

    def __len__(self) -> int:
        return len(self._chances)

    def set(self, page: int, relevant: bool | None, now: float) -> float:
        """Labels a page that is judged `now`, or takes its label back (None). Returns the chance
        that counts from then on."""
        _, own = self._chances.pop(page, (now, now))
        if relevant is None:
            return own
        self._chances[page] = LABEL_CHANCE if relevant else 1 - LABEL_CHANCE, own
        return own if self._is_passed_over(page) else self._chances[page][0]

    def judge_again(
        self, page: int, own: float, texts: NDArray[np.float64]
    ) -> tuple[float, NDArray[np.float64]]:
        """The chance that counts for a page, and the texts of its links with it, when the learner
        newly judges the page by itself; both stay as they are without a label."""
        if page not in self._chances:
            return own, texts
        label, before = self._chances[page]
        if self._is_passed_over(page):
            return before, with_page(texts, bounded_odds_of(before))
        self._chances[page] = label, own
        return label, with_page(texts, bounded_odds_of(label))

    def _is_passed_over(self, page: int) -> bool:
        return self._by_words and self._chances[page][0] != LABEL_CHANCE

    def state(self) -> NDArray[np.float64]:
        """A row for each label: page, its chance, the learner's own."""
        rows = [(page, *chances) for page, chances in self._chances.items()]
        return np.array(rows).reshape(-1, 3)

    def restore(self, rows: Any) -> None:
        """Restores what `state` returned."""
        self._chances = {int(page): (label, own) for page, label, own in rows.tolist()}
