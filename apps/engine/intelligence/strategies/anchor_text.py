"""Anchor text: scores a link by its anchor."""

from __future__ import annotations

from apps.engine.intelligence.classifying.text_scoring import link_probabilities
from apps.engine.intelligence.strategies.classified import Classified, Classifier, Idf, Weighting
from apps.engine.model import Floats, Spans, Visit
from apps.engine.parsing.contexts.anchor import anchor


class AnchorText(Classified):
    """Gives a link P(c|anchor) by the classifier trained on whole pages (SLC §5.3).

    **Choice**: if a page links to a URL several times, the best anchor counts; an anchor without
    words has the score of an empty text.
    """

    formula = "P(c|anchor)"
    id = "anchor_text"
    title = "Anchor text"
    paper = "SLC"
    section = "SLC §5.3"
    advice = "Where anchors describe their targets: directories, encyclopedias, menus."

    def __init__(
        self,
        *,
        classifier: Classifier = "svm",
        weighting: Weighting = "tfc",
        idf: Idf = "examples",
    ) -> None:
        super().__init__(classifier=classifier, weighting=weighting, idf=idf)

    def score_links(self, visit: Visit) -> Floats:
        return link_probabilities(self.classifier_, visit, self.context(visit))

    def context(self, visit: Visit) -> Spans:
        return anchor(visit.document)

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        return {"P(c|anchor)": float(self.score_links(visit)[link])}
