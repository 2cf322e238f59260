"""Anchor decision tree: learns which anchor words lead to relevant pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self

import numpy as np

from apps.engine.intelligence.anchor_tree import AnchorMemory, TermTree, anchor_terms, grow_tree
from apps.engine.intelligence.classifying.text_scoring import link_probabilities
from apps.engine.intelligence.link_memory import earlier_visits, is_high
from apps.engine.intelligence.strategies.classified import Classifier, Idf, Weighting
from apps.engine.intelligence.strategies.link_learner import LinkLearner, Mode
from apps.engine.intelligence.strategies.parameters import NumberRange
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Spans, Visit
from apps.engine.parsing.contexts.anchor import anchor

RELEVANT = 0.5


class AnchorDecisionTree(LinkLearner):
    """Gives a link the share of relevant targets among links whose anchors have the same terms.

    A decision tree over anchor terms (SLC §5.3). **Choice** (SLC cites it without a description):
    like the apprentice it learns from links whose targets were fetched, with P(c|v) ≥ 0.5 of the
    page classifier as relevant; the anchors of a URL's occurrences on a page are joined; a leaf's
    share is (1 + relevant)/(2 + links). Before training, P(c|anchor) is the score.

    Parameters:
        least: the minimum number of links in a leaf of the tree.
    """

    formula = "relevant targets among links with the same terms; until it has learned, P(c|anchor)"
    id = "anchor_decision_tree"
    title = "Anchor decision tree"
    paper = "SLC"
    section = "SLC §5.3"
    advice = "For long crawls of sites whose menus and lists use the same words again and again."

    def __init__(
        self,
        *,
        mode: Mode = "online",
        least: Annotated[int, NumberRange(1, 10_000)] = 5,
        first_reorder: Annotated[int, NumberRange(1, 1_000_000)] = 500,
        reorders_every: Annotated[int, NumberRange(1, 1_000_000)] = 500,
        classifier: Classifier = "svm",
        weighting: Weighting = "tfc",
        idf: Idf = "examples",
    ) -> None:
        super().__init__(
            mode=mode,
            first_reorder=first_reorder,
            reorders_every=reorders_every,
            classifier=classifier,
            weighting=weighting,
            idf=idf,
        )
        self.least = least

    def fit(self, topic: TopicModel) -> Self:
        super().fit(topic)
        self.memory_: AnchorMemory = AnchorMemory()
        self.tree_: TermTree | None = None
        if self.mode == "offline":
            for visit in earlier_visits(topic, self.judge):
                self.memory_.keep(visit)
            self._train()
            self.memory_ = AnchorMemory()
        return self

    def learn(self, visit: Visit) -> None:
        if self.mode == "online":
            self.memory_.keep(visit)

    def score_links(self, visit: Visit) -> Floats:
        if self.tree_ is None:
            return link_probabilities(self.classifier_, visit, self.context(visit))
        return self.tree_.chances(*anchor_terms(visit), len(visit.links))

    def context(self, visit: Visit) -> Spans:
        return anchor(visit.document)

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        name = "P(c|anchor)" if self.tree_ is None else "share of its leaf"
        return {name: float(self.score_links(visit)[link])}

    def trained_scores(self) -> Floats | None:
        self._train()
        if self.tree_ is None:
            return None
        return self.tree_.chances(*self.memory_.terms(), self.memory_.graph.links)

    def _train(self) -> None:
        taus = self.memory_.targets()
        high = is_high(taus, RELEVANT)
        tree = grow_tree(*self.memory_.terms(), high, ~np.isnan(taus), self.least)
        self.tree_ = tree or self.tree_

    def state(self) -> dict[str, Any]:
        tree = self.tree_
        learned = (
            {}
            if tree is None
            else {
                "term": tree.term,
                "absent": tree.absent,
                "present": tree.present,
                "chance": tree.chance,
            }
        )
        return {**super().state(), **learned}

    def restore(self, state: Mapping[str, Any]) -> None:
        super().restore(state)
        if "term" in state:
            parts = (state[name] for name in ("term", "absent", "present", "chance"))
            self.tree_ = TermTree(*parts)
