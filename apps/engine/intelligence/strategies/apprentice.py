"""The apprentice: learns from the critic which links lead to good pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

import numpy as np

from apps.engine.codes import Need
from apps.engine.intelligence.classifying.calibration import logistic
from apps.engine.intelligence.link_memory import Cut, earlier_visits
from apps.engine.intelligence.offsets.bayes import (
    Neighbours,
    OffsetBayes,
    priority_key,
    probability_of,
    train_bayes,
)
from apps.engine.intelligence.offsets.features import OffsetFeatures, OffsetMemory, page_features
from apps.engine.intelligence.page_classes import PageClasses
from apps.engine.intelligence.strategies.base import WaitingUrls
from apps.engine.intelligence.strategies.classified import Classifier, Idf, Weighting, topicality
from apps.engine.intelligence.strategies.link_learner import LinkLearner, Mode
from apps.engine.intelligence.strategies.parameters import NumberRange, Symbol
from apps.engine.intelligence.strategies.taxonomy_baseline import TaxonomyBaseline
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Judgement, Spans, Visit
from apps.engine.parsing.contexts.dom_offsets import dom_offsets

PROMISES = ("promise_before", "promise_after")


class Apprentice(LinkLearner):
    """Gives a link the odds, by the words around it, that the critic will rate its target HIGH.

    AFC §2: naive Bayes over ⟨token, DOM offset⟩ features. The training links (u, v) are those with
    v fetched, HIGH or LOW at the median of the critic's P(c|v). Before training, the critic's
    P(c|u) is the score. As published the critic is the taxonomy baseline; by default it is the page
    classifier, which needs no directory of topics. **Choice**: the key for the log-odds x is (1 +
    x/(1 + |x|))/2, since the probability itself rounds to 1 from x = 37 on and would tie; the best
    of a URL's occurrences on a page counts; training starts after 1,000 pages instead of the
    paper's 5,200. AFC keeps the score of the first page that links to a URL (note 2: parents
    `first`); by default the best counts, with which the apprentice loses less at the start and ends
    with the same loss.

    Parameters:
        dmax: the number of tag-tree leaves on each side of the link whose words count.
        offsets: whether words at different offsets are different features.
        critic: the judge of fetched pages: the page classifier or, as published, naive Bayes over
            the classes of a directory, pruned like that of taxonomy_baseline.
        cut: the threshold of HIGH: the median of the critic's P(c|v), or 0.5.
        classes: whether the page's classes in the topic's directory and their ancestors count too.
        cocitation: whether nearby links whose targets are HIGH or LOW count too.
    """

    formula = "(1 + x/(1 + |x|))/2, x the log-odds of HIGH; until it has learned, P(c|u)"
    id = "apprentice"
    title = "Apprentice"
    paper = "AFC"
    section = "AFC §2"
    advice = "For long crawls, of several thousand pages: it learns the habits of page authors."

    def __init__(
        self,
        *,
        mode: Mode = "online",
        dmax: Annotated[int, NumberRange(0, 20)] = 5,
        offsets: bool = True,
        first_reorder: Annotated[int, NumberRange(1, 1_000_000), Symbol("n")] = 1000,
        reorders_every: Annotated[int, NumberRange(1, 1_000_000)] = 500,
        critic: Literal["page", "taxonomy"] = "page",
        cut: Cut = "median",
        classes: bool = False,
        cocitation: bool = False,
        classifier: Classifier = "svm",
        weighting: Weighting = "smart",
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
        self.dmax = dmax
        self.offsets = offsets
        self.critic: Literal["page", "taxonomy"] = critic
        self.cut: Cut = cut
        self.classes = classes
        self.cocitation = cocitation

    def needed(self) -> frozenset[Need]:
        directory = self.classes or self.critic == "taxonomy"
        return super().needed() | {Need.TAXONOMY} if directory else super().needed()

    def fit(self, topic: TopicModel) -> Self:
        super().fit(topic)
        self.taxonomy_ = TaxonomyBaseline().fit(topic) if self.critic == "taxonomy" else None
        self.classes_ = PageClasses(topic) if self.classes else None
        self.memory_: OffsetMemory = OffsetMemory()
        self.model_: OffsetBayes | None = None
        self.at_least_ = 0.5
        self.promise_: dict[str, Floats] = {}
        self._last: tuple[Visit, OffsetFeatures] | None = None
        if self.mode == "offline":
            for visit in earlier_visits(topic, self.judge):
                self.memory_.keep(visit, self._features(visit))
            self._train()
            self.memory_ = OffsetMemory()
        return self

    def judge(self, visit: Visit) -> Judgement:
        return self.taxonomy_.judge(visit) if self.taxonomy_ else super().judge(visit)

    def learn(self, visit: Visit) -> None:
        features = self._features(visit)
        self._last = (visit, features)
        if self.mode == "online":
            self.memory_.keep(visit, features)
        else:
            self.memory_.judge(visit)

    def score_links(self, visit: Visit) -> Floats:
        if self.model_ is None:
            return np.full(len(visit.links), topicality(visit))
        return priority_key(visit.links.best(self._log_odds(visit, self.model_)))

    def rescore(self, frontier: WaitingUrls) -> Floats | None:
        """Also notes what the first training changes (AFC Fig. 13a)."""
        had_learned = self.model_ is not None
        scores = super().rescore(frontier)
        if scores is not None and not had_learned:
            self.promise_ = {
                PROMISES[0]: _tenths(self._parents_topicality(frontier)),
                PROMISES[1]: _tenths(probability_of(scores)),
            }
        return scores

    def _parents_topicality(self, frontier: WaitingUrls) -> Floats:
        """The P(c|u) of each waiting URL's parents; NaN if none of them was judged. Beside a judged
        one, a parent that was not, such as a site list, counts as 0."""
        rows, pages = frontier.edges()
        taus = self.memory_.tau[pages]
        is_judged = ~np.isnan(taus)
        combined = frontier.combine(np.where(is_judged, taus, 0.0))
        combined[np.setdiff1d(rows[~is_judged], rows[is_judged])] = np.nan
        return combined

    def report(self) -> dict[str, Floats]:
        """`promise_before` and `promise_after`: the waiting URLs by their estimated promise, in
        tenths, when the apprentice was switched in; P(c|u) before, P(high) after."""
        return self.promise_

    def trained_scores(self) -> Floats | None:
        self._train()
        if self.model_ is None:
            return None
        features = self.memory_.features()
        return priority_key(self.memory_.best(self.model_.log_odds(features, self._near(features))))

    def _train(self) -> None:
        """Trains a new model, if there are HIGH and LOW links."""
        features = self.memory_.features()
        self.at_least_, high, low = self.memory_.labelled(self.cut)
        width = 2 * self.dmax + 1 if self.offsets else 1
        self.model_ = train_bayes(features, high, low, self._near(features), width) or self.model_

    def _near(self, features: OffsetFeatures) -> Neighbours:
        tau = self.memory_.tau[np.maximum(features.owner, 0)]
        return Neighbours(self.cocitation, tau, self.at_least_)

    def _features(self, visit: Visit) -> OffsetFeatures:
        if self.classes_ is None:
            return page_features(visit, self.dmax, self.offsets)
        classes = self.classes_.of(visit)
        return page_features(visit, self.dmax, self.offsets, len(self.classes_), classes)

    def _log_odds(self, visit: Visit, model: OffsetBayes) -> Floats:
        """The log-odds of each occurrence of the page's links."""
        is_last = self._last is not None and self._last[0] is visit
        features = self._last[1] if is_last and self._last else self._features(visit)
        return model.log_odds(features, self._near(features))

    def context(self, visit: Visit) -> Spans:
        near = dom_offsets(visit.document, self.dmax)
        return Spans(near.rows, near.row, near.start, near.end)

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        if self.model_ is None:
            return {"P(c|u)": topicality(visit)}
        odds = float(visit.links.best(self._log_odds(visit, self.model_))[link])
        return {"P(c|u)": topicality(visit), "x": odds, "P(high)": float(logistic(np.array(odds)))}

    def state(self) -> dict[str, Any]:
        learned = (
            {}
            if self.model_ is None
            else {"weights": self.model_.weights, "prior": self.model_.prior}
        )
        return {**super().state(), **learned, **self.promise_, "at_least": self.at_least_}

    def restore(self, state: Mapping[str, Any]) -> None:
        super().restore(state)
        self.at_least_ = float(state["at_least"])
        if "weights" in state:
            self.model_ = OffsetBayes(state["weights"], float(state["prior"]))
        self.promise_ = {name: state[name] for name in PROMISES if name in state}


def _tenths(promises: Floats) -> Floats:
    """How many lie in each tenth from 0 to 1; NaN in none."""
    defined = promises[~np.isnan(promises)]
    return np.histogram(defined, np.arange(11) / 10)[0].astype(np.float64)
