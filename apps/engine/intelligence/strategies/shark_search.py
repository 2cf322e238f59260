"""Shark-Search: scores links by the relevance they inherit and by the words around them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self

import numpy as np

from apps.engine.codes import Need
from apps.engine.intelligence.columns import UrlColumn
from apps.engine.intelligence.strategies.explains import Explains
from apps.engine.intelligence.strategies.parameters import NumberRange, Symbol
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Spans, Visit
from apps.engine.parsing.contexts.anchor import anchor
from apps.engine.parsing.contexts.window import window


class SharkSearch(Explains):
    """Gives a link γ·inherited + (1 − γ)·neighbourhood (Hersovici et al. 1998; LC §2.3).

    inherited = δ·sim(q, u) if sim(q, u) > 0, else δ·inherited(u); neighbourhood = β·anchor + (1 −
    β)·context, where anchor = sim(q, anchor text) and context is 1 if anchor > 0, else sim(q,
    window). sim is the cosine of tf·idf vectors. **Choice** (the formula is not in the five
    papers): a URL inherits the maximum over its parents.

    Parameters:
        gamma: the weight of the inherited score.
        delta: the decay of the inherited score from a page to its links.
        beta: the weight of the anchor against its context.
        window: the number of words around the anchor in its context.
    """

    formula = "γ·inherited + (1 − γ)·(β·anchor + (1 − β)·context)"
    id = "shark_search"
    title = "Shark-Search (original)"
    paper = "HCLA"
    section = "HCLA §5.1 (after Hersovici et al. 1998)"
    advice = "Where there are keywords only, and anchors describe their targets."
    needs = frozenset({Need.KEYWORDS})

    def __init__(
        self,
        *,
        gamma: Annotated[float, NumberRange(0, 1), Symbol("γ")] = 0.5,
        delta: Annotated[float, NumberRange(0, 1), Symbol("δ")] = 0.5,
        beta: Annotated[float, NumberRange(0, 1), Symbol("β")] = 0.8,
        window: Annotated[int, NumberRange(0, 400), Symbol("T")] = 40,
    ) -> None:
        self.gamma = gamma
        self.delta = delta
        self.beta = beta
        self.window = window

    def fit(self, topic: TopicModel) -> Self:
        self.profile_ = topic.keyword_profile()
        self.inherited_ = UrlColumn()
        return self

    def learn(self, visit: Visit) -> None:
        """Sets the inherited score of the page's links, unless they have a greater one."""
        numbers, left = visit.link_numbers, self._inherited(visit)
        self.inherited_.set(numbers, np.maximum(self.inherited_[numbers], left))

    def score_links(self, visit: Visit) -> Floats:
        anchors = self._similar(visit, anchor(visit.document))
        windows = self._similar(visit, window(visit.document, self.window))
        contexts = np.where(anchors > 0, 1.0, windows)
        neighbourhood = visit.links.best(self.beta * anchors + (1 - self.beta) * contexts)
        return self.gamma * self._inherited(visit) + (1 - self.gamma) * neighbourhood

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        anchors = self._similar(visit, anchor(visit.document))
        contexts = np.where(anchors > 0, 1.0, self._similar(visit, self.context(visit)))
        return {
            "sim(q, u)": self._page(visit),
            "inherited": self._inherited(visit),
            "γ": self.gamma,
            "β": self.beta,
            "anchor": float(visit.links.best(anchors)[link]),
            "context": float(visit.links.best(contexts)[link]),
        }

    def context(self, visit: Visit) -> Spans:
        return window(visit.document, self.window)

    def _similar(self, visit: Visit, contexts: Spans) -> Floats:
        return self.profile_.cosines(visit.rows(contexts))

    def _page(self, visit: Visit) -> float:
        return float(self.profile_.cosines(visit.page())[0])

    def _inherited(self, visit: Visit) -> float:
        """The score that the page's links inherit."""
        similar = self._page(visit)
        return self.delta * (similar or self.inherited_.one(visit.url_number))

    def state(self) -> dict[str, Any]:
        return {"inherited": self.inherited_.array()}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.inherited_.restore(state["inherited"])
