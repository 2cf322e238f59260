"""Taxonomy baseline: scores links by their page's probability of the topic's directory class."""

from __future__ import annotations

from typing import Annotated, Self

import numpy as np

from apps.engine.codes import Need
from apps.engine.intelligence.strategies.classified import topicality
from apps.engine.intelligence.strategies.explains import Explains
from apps.engine.intelligence.strategies.parameters import NumberRange, Symbol
from apps.engine.intelligence.taxonomy import topic_taxonomy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Judgement, Visit


class TaxonomyBaseline(Explains):
    """Gives every link of a page P(c*|u), the page's probability of leaves in the topic's class.

    AFC's baseline crawler (§2.1): multinomial naive Bayes over all leaves of a topic directory,
    pruned as in §3.1: a leaf with fewer than k pages is merged into its parent, an inner class's
    own pages become a leaf `Other`, larger leaves are sampled down. Whether a leaf is large enough
    is decided by the counts of the directory, before pages are drawn. **Choice**: equally many
    pages are drawn of each leaf, at most 20,000 in all: 41 of each of 482 leaves, where AFC has
    300. **Erratum** (§3.1): 482 classes of at most 300 pages have at most 144,600 pages, not the
    printed 144,859.

    Parameters:
        least: the minimum number of pages of a class in the directory; at most that of the topic's
            own class.
        most: the maximum number of pages of a class.
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
        least: Annotated[int, NumberRange(1, 100_000), Symbol("k")] = 300,
        most: Annotated[int, NumberRange(1, 100_000)] = 300,
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
