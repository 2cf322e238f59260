"""Tag Tree Combo: scores a link by its page and the text of an element around it."""

from __future__ import annotations

from typing import Annotated

from apps.engine.intelligence.classifying.text_scoring import link_probabilities
from apps.engine.intelligence.strategies.classified import (
    Classified,
    Classifier,
    Idf,
    Weighting,
    topicality,
)
from apps.engine.intelligence.strategies.parameters import NumberRange, Symbol
from apps.engine.model import Floats, Spans, Visit
from apps.engine.parsing.contexts.tag_tree import tag_tree


class TagTreeCombo(Classified):
    """Gives a link β·P(c|u) + (1 − β)·P(c|tag tree context) (LC §9).

    The context is the text of the nearest ancestor with more than MIN words, at most MAX of them.
    **Erratum** (LC §8): "no less than MIN words" reads more than MIN, or the whole page if it is
    shorter. **Choice**: truncation to MAX words keeps the anchor, centred.

    Parameters:
        beta: the weight of the page against that of the context.
        least: a context with at most this many words is extended by one level of the tree.
        most: the maximum number of words of a context.
    """

    formula = "β·P(c|u) + (1 − β)·P(c|tag tree)"
    id = "tag_tree_combo"
    title = "Tag tree combo"
    paper = "LC"
    section = "LC §8, §9.3"
    advice = "For given targets and hard topics: the best of its paper by target recall."
    reads = "blocks"

    def __init__(
        self,
        *,
        beta: Annotated[float, NumberRange(0, 1), Symbol("β")] = 0.25,
        least: Annotated[int, NumberRange(0, 400), Symbol("MIN")] = 2,
        most: Annotated[int, NumberRange(1, 400), Symbol("MAX")] = 40,
        classifier: Classifier = "svm",
        weighting: Weighting = "smart",
        idf: Idf = "examples",
    ) -> None:
        super().__init__(classifier=classifier, weighting=weighting, idf=idf)
        self.beta = beta
        self.least = least
        self.most = most

    def score_links(self, visit: Visit) -> Floats:
        return self.beta * topicality(visit) + (1 - self.beta) * self._texts(visit)

    def _texts(self, visit: Visit) -> Floats:
        return link_probabilities(self.classifier_, visit, self.context(visit))

    def context(self, visit: Visit) -> Spans:
        return visit.spans or tag_tree(visit.document, self.least, self.most)

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        texts = self._texts(visit)
        return {"P(c|u)": topicality(visit), "β": self.beta, "P(c|tag tree)": float(texts[link])}
