"""The evidence from links' texts as it was before the linked page was chosen, for relearning."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from apps.engine.intelligence.evidence.link_evidence import LinkEvidence, means
from apps.engine.intelligence.evidence.siblings import Siblings
from apps.engine.model import Longs


class EarlyTexts:
    """Adds up the texts of links that were read before their targets were chosen.

    Only these count for the weights: with those of later pages, texts would seem more reliable than
    they are for waiting links. `before` are the judgements and the order of pages as of now, which
    the learner then forgets.
    """

    def __init__(self, before: Siblings) -> None:
        self._judgement = before.judgement
        self._order = before.order()
        self._texts = LinkEvidence()

    def was_judged(self, page: int) -> bool:
        """Whether the page had been judged before it is learned anew."""
        return not math.isnan(self._judgement.one(page))

    def add(
        self, page: int, urls: Longs, texts: NDArray[np.float64]
    ) -> tuple[Longs, NDArray[np.float64]]:
        """Adds the texts of a page's links. Returns those of `urls` that were chosen after it, and
        the means of their texts up to here."""
        later = self._order[urls] > self._order.one(page)
        chosen: Longs = urls[later]
        self._texts.add(chosen, texts[later])
        return chosen, means(self._texts.rows(chosen))
