"""The sum of weighted evidence on a link: its probability, its terms, and the decisive ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from apps.engine.intelligence.classifying.calibration import logistic
from apps.engine.intelligence.evidence.learned_weights import LearnedWeights
from apps.engine.intelligence.evidence.link_knowledge import PARTS, LinkKnowledge
from apps.engine.intelligence.strategies.base import WaitingUrls
from apps.engine.intelligence.strategies.explains import Explains
from apps.engine.intelligence.strategies.terms import ScoreTerm
from apps.engine.model import Floats, Longs, Visit

SHIPPED = MappingProxyType(
    {
        "page": 0.1,
        "window": 0.15,
        "anchor": 0.15,
        "address": 0.2,
        "parents": 0.25,
        "siblings": 1.5,
        "place": 0.1,
    }
)
EVIDENCE = MappingProxyType(
    {
        "start": ScoreTerm("Start", "what any link of this crawl starts with"),
        "page": ScoreTerm("Page", "the words of the pages that link to it"),
        "window": ScoreTerm("Window", "the words around its links"),
        "anchor": ScoreTerm("Anchor", "the words in its links"),
        "address": ScoreTerm("Address", "the words of its address"),
        "parents": ScoreTerm("Parents", "the number of fetched pages that link to it"),
        "siblings": ScoreTerm("Siblings", "the other pages that its parents link to"),
        "place": ScoreTerm("Host and folder", "the pages fetched from its host and folder"),
    }
)
START = -1.0


class WeightedEvidence(Explains):
    """A strategy that gives a link the chance σ(start + Σ weight·part) by its `knowledge_` of the
    parts of a URL and by the `weights_` of these; `fit` makes both."""

    formula = "σ(start + Σ weight·part)"
    legend = EVIDENCE
    sums_to = "a chance"
    shipped: Mapping[str, float] = SHIPPED
    knowledge_: LinkKnowledge
    weights_: LearnedWeights

    def score_links(self, visit: Visit) -> Floats:
        return self._chances(visit.link_numbers, self._parts(visit))

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        """The term that each part adds to the log-odds."""
        return self._terms(self._parts(visit)[link])

    def chosen_by(self, telemetry: Mapping[str, float]) -> Mapping[str, float] | None:
        return {term: telemetry[term] for term in self.legend}

    def leading_terms(self, urls: Longs) -> list[str]:
        return leading(PARTS, self.knowledge_.parts(urls) * self.weights_.parts)

    def _parts(self, visit: Visit) -> NDArray[np.float64]:
        """The parts of each of the page's links, a row each."""
        raise NotImplementedError

    def _rank_all(self, frontier: WaitingUrls) -> Floats:
        return self._chances(frontier.numbers, self.knowledge_.parts(frontier.numbers))

    def _terms(self, parts: Floats) -> dict[str, float]:
        added = zip(PARTS, (parts * self.weights_.parts).tolist(), strict=True)
        return {"start": self.weights_.start, **dict(added)}

    def _chances(self, urls: Longs, parts: NDArray[np.float64]) -> Floats:
        return logistic(self._odds(parts))

    def _odds(self, parts: NDArray[np.float64]) -> Floats:
        # Not `parts @ …`: the last bit of BLAS's sums depends on the number of rows.
        odds: Floats = (parts * self.weights_.parts).sum(axis=1) + self.weights_.start
        return odds


def leading(terms: Sequence[str], added: NDArray[np.float64]) -> list[str]:
    """The term of the largest value in each row of URLs × terms, empty if none is above 0."""
    best = added.argmax(axis=1)
    return [terms[at] if row[at] > 0 else "" for row, at in zip(added, best, strict=True)]
