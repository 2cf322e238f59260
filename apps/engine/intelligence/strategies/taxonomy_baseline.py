"""Taxonomy baseline: a link is as good as its page belongs to the topic's class of a directory."""

from __future__ import annotations

from typing import Annotated, Self

import numpy as np

from apps.engine.intelligence.strategies.classified import topicality
from apps.engine.intelligence.strategies.explains import Explains
from apps.engine.intelligence.strategies.parameters import Range, Symbol
from apps.engine.intelligence.taxonomy import topic_taxonomy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Judgement, Need, Visit


class TaxonomyBaseline(Explains):
    """Gives every link of a page P(c*|u), u's share in the leaves at or below the topic's class.

    AFC's baseline crawler (§2.1): multinomial naive Bayes over all leaves of a topic directory,
    pruned as in §3.1: a leaf with fewer than k pages gives them to its parent and goes, an inner
    class's own pages become a leaf `Other`, larger leaves are sampled down. **Erratum** (§3.1): 482
    classes of at most 300 pages hold no more than 144,600, not the 144,859 printed.

    Parameters:
        least: the pages a class needs to stay; no more than the topic's own class has.
        most: the pages a class keeps.
    """

    formula = "P(c*|u)"
    id = "taxonomy_baseline"
    title = "Taxonomy baseline"
    paper = "AFC"
    section = "AFC §2.1, §3.1"
    advice = "Where a whole directory of topics is at hand for the negative side."
    needs = frozenset({Need.TAXONOMY})

    def __init__(
        self,
        *,
        least: Annotated[int, Range(1, 100_000), Symbol("k")] = 300,
        most: Annotated[int, Range(1, 100_000)] = 300,
    ) -> None:
        self.least = least
        self.most = most

    def fit(self, topic: TopicModel) -> Self:
        self.classifier_ = topic_taxonomy(topic, self.least, self.most)
        assert topic.topic.taxonomy is not None
        self.focus_ = self.classifier_.within(topic.topic.taxonomy.focus)
        return self

    def judge(self, visit: Visit) -> Judgement:
        shares = self.classifier_.probabilities(visit.page().ids)
        return Judgement(topicality=min(float(shares[self.focus_].sum()), 1.0))

    def score_links(self, visit: Visit) -> Floats:
        return np.full(len(visit.links), topicality(visit))

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        return {"P(c*|u)": topicality(visit)}
