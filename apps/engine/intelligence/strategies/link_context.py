"""Link context: scores a link by the text of the block that contains it."""

from __future__ import annotations

from apps.engine.intelligence.strategies.classified import Classified, Classifier, Idf, Weighting
from apps.engine.model import Floats, Spans, Visit
from apps.engine.parsing.contexts.aggregation import aggregation


class LinkContext(Classified):
    """Gives a link P(c|aggregation): the text below its anchor's parent element (SLC §3.1).

    **Erratum** (SLC §3.1): "all of the texts in the sub-tree" and "our link-contexts do not contain
    anchor texts" contradict each other. This crawler, after Pant (2003), keeps the other anchors;
    selective_link_context leaves them out. The texts of several blocks of a URL are joined.
    """

    formula = "P(c|block)"
    id = "link_context"
    title = "Link context"
    paper = "SLC"
    section = "SLC §3.1, §5.3"
    advice = "Where every link has its own paragraph or list item."
    reads = "blocks"

    def __init__(
        self,
        *,
        classifier: Classifier = "svm",
        weighting: Weighting = "tfc",
        idf: Idf = "examples",
    ) -> None:
        super().__init__(classifier=classifier, weighting=weighting, idf=idf)

    def score_links(self, visit: Visit) -> Floats:
        return self.classifier_.probabilities(visit.rows(self.context(visit)))

    def context(self, visit: Visit) -> Spans:
        return visit.spans or aggregation(visit.document, other_anchors=True)

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        return {"P(c|block)": float(self.score_links(visit)[link])}
