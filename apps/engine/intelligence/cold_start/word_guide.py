"""The guide of a crawl that begins with words: scores of texts, in standard deviations of pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from apps.engine.intelligence.cold_start.open_texts import Direction
from apps.engine.intelligence.cold_start.subject import usual_cosines
from apps.engine.model import Floats, TokenRows
from apps.engine.representation.vectors.meanings import NO_MEANINGS, Meanings

SLOPE, OFFSET = 1.5, -2.0
MOST = 6.0
"""Log-odds are at most 6 and at least −6."""
ASSUMED = 10
"""As many pages the usual mean and spread count for, beside those that have been fetched."""


@dataclass(frozen=True, slots=True)
class WordGuide:
    """z(x) = 1.5·(s(x) − μ)/σ − 2, clipped at ± 6, for the score s of a text along a direction.

    μ and σ are the mean and the spread of the scores of whole pages.
    """

    direction: Direction
    mean: float
    spread: float

    @classmethod
    def at_start(cls, query: Direction, pages: TokenRows) -> WordGuide:
        """The guide of words alone. The fetched pages are joined by ten usual ones, with the scores
        `usual_cosines`: .02 ± .04 without word vectors."""
        length = query.length or 1.0
        usual_mean, usual_spread = usual_cosines(query.meanings)
        cosines = query.scores(pages) / length
        total = ASSUMED + len(cosines)
        mean = (ASSUMED * usual_mean + float(cosines.sum())) / total
        usual = ASSUMED * (usual_spread**2 + (usual_mean - mean) ** 2)
        spread = ((usual + float(((cosines - mean) ** 2).sum())) / total) ** 0.5
        return cls(query, mean * length, spread * length)

    @classmethod
    def over(cls, direction: Direction, pages: TokenRows) -> WordGuide:
        """The guide with μ and σ estimated from these pages."""
        scores = direction.scores(pages)
        return cls(direction, float(scores.mean()), float(scores.std()) or 1.0)

    def deviations(self, rows: TokenRows) -> Floats:
        """(s(x) − μ)/σ of each text."""
        return (self.direction.scores(rows) - self.mean) / self.spread

    def log_odds(self, rows: TokenRows) -> Floats:
        """z of each text, in [−6, 6]."""
        return np.clip(SLOPE * self.deviations(rows) + OFFSET, -MOST, MOST)

    def state(self) -> dict[str, Any]:
        return {**self.direction.state(), "mean": self.mean, "spread": self.spread}

    @classmethod
    def of_state(cls, state: Mapping[str, Any], meanings: Meanings = NO_MEANINGS) -> WordGuide:
        """Restores what `state` returned."""
        return cls(
            Direction.of_state(state, meanings), float(state["mean"]), float(state["spread"])
        )
