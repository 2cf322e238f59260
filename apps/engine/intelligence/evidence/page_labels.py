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
    """The chance set by each page's label, and the learner's own judgement, by page."""

    def __init__(self) -> None:
        self._chances: dict[int, tuple[float, float]] = {}

    def __len__(self) -> int:
        return len(self._chances)

    def set(self, page: int, relevant: bool | None, now: float) -> float:
        """Labels a page that is judged `now`, or takes its label back (None). Returns the chance
        that counts from then on."""
        _, own = self._chances.pop(page, (now, now))
        if relevant is None:
            return own
        label = LABEL_CHANCE if relevant else 1 - LABEL_CHANCE
        self._chances[page] = label, own
        return label

    def judge_again(
        self, page: int, own: float, texts: NDArray[np.float64]
    ) -> tuple[float, NDArray[np.float64]]:
        """The chance that counts for a page, and the texts of its links with it, when the learner
        newly judges the page by itself; both stay as they are without a label."""
        if page not in self._chances:
            return own, texts
        label, _ = self._chances[page]
        self._chances[page] = label, own
        return label, with_page(texts, bounded_odds_of(label))

    def state(self) -> NDArray[np.float64]:
        """A row for each label: page, its chance, the learner's own."""
        rows = [(page, *chances) for page, chances in self._chances.items()]
        return np.array(rows).reshape(-1, 3)

    def restore(self, rows: Any) -> None:
        """Restores what `state` returned."""
        self._chances = {int(page): (label, own) for page, label, own in rows.tolist()}
