"""Selective link context: scores a link by its anchor or, if that is too low, by its block."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from apps.engine.curve_spec import CurveSpec
from apps.engine.intelligence.columns import UrlColumn
from apps.engine.intelligence.strategies.base import Scores
from apps.engine.intelligence.strategies.classified import Classified, Classifier, Idf, Weighting
from apps.engine.intelligence.strategies.parameters import NumberRange, Symbol
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Spans, TokenRows, Visit
from apps.engine.parsing.contexts.aggregation import aggregation
from apps.engine.parsing.contexts.anchor import anchor


@dataclass(frozen=True, slots=True)
class _Selection:
    """The score of each link, and whether its anchor or its context passes the threshold."""

    scores: Floats
    by_anchor: NDArray[np.bool_]
    by_context: NDArray[np.bool_]


class SelectiveLinkContext(Classified):
    """Gives a link P(c|anchor) if that is ≥ θ, else P(c|aggregation) if that is ≥ θ, else rejects
    it.

    SLC's TCESULC (§3, Algorithm 1). Rejected links are not queued, so a crawl may run out of links.
    **Choice**: θ = 0.5, the positive side of the classifier; an anchor without a term counts as
    below θ. **Erratum** (Algorithm 1): it modifies the queue while iterating over it and does not
    test for visited URLs; read "while not empty, take the best that is new". SLC keeps the score of
    the first page that links to a URL (§4: parents `first`); by default the best counts.

    Parameters:
        threshold: the minimum probability of an anchor, or a context, for its link to be accepted.
        rejected: whether links below it are dropped, or queued last in the order of their contexts.
    """

    formula = "P(c|anchor) if it is ≥ θ, else P(c|block) if it is, else not queued"
    id = "selective_link_context"
    title = "Selective link context"
    paper = "SLC"
    section = "SLC §3"
    curves = MappingProxyType(
        {
            "used_anchor": CurveSpec("context_use", "anchor text", "harvest"),
            "used_context": CurveSpec("context_use", "link context", "recall"),
            "used_none": CurveSpec("context_use", "neither", "ink-2", "dashed"),
        }
    )
    advice = "For clean collections: it rejects links without support by anchor or block."
    reads = "blocks"

    def __init__(
        self,
        *,
        threshold: Annotated[float, NumberRange(0, 1), Symbol("θ")] = 0.5,
        rejected: Literal["drop", "last"] = "drop",
        classifier: Classifier = "svm",
        weighting: Weighting = "tfc",
        idf: Idf = "examples",
    ) -> None:
        super().__init__(classifier=classifier, weighting=weighting, idf=idf)
        self.threshold = threshold
        self.rejected: Literal["drop", "last"] = rejected

    def fit(self, topic: TopicModel) -> Self:
        super().fit(topic)
        self.used_anchor_ = self.used_context_ = self.used_none_ = 0
        self.taken_ = UrlColumn()
        self._last: tuple[Visit, _Selection] | None = None
        return self

    def learn(self, visit: Visit) -> None:
        """Counts the new links accepted by anchor and by context (SLC Fig. 9).

        Links to fetched or queued pages are ignored (SLC §4); a rejected link may occur and count
        again.
        """
        selection = self._select(visit)
        self._last = (visit, selection)
        self.taken_.set(visit.url_number, 1.0)
        new = self.taken_[visit.link_numbers] == 0
        by_anchor, by_context = selection.by_anchor & new, selection.by_context & new
        self.used_anchor_ += int(by_anchor.sum())
        self.used_context_ += int(by_context.sum())
        self.used_none_ += int((new & ~by_anchor & ~by_context).sum())
        queued = new if self.rejected == "last" else by_anchor | by_context
        self.taken_.set(visit.link_numbers[queued], 1.0)

    def score_links(self, visit: Visit) -> Scores:
        is_last = self._last is not None and self._last[0] is visit
        selection = self._last[1] if is_last and self._last else self._select(visit)
        chosen = selection.by_anchor | selection.by_context
        if self.rejected == "last":
            return np.where(chosen, (1 + selection.scores) / 2, selection.scores / 2)
        scores: list[float | None] = selection.scores.tolist()
        return [s if passes else None for s, passes in zip(scores, chosen.tolist(), strict=True)]

    def context(self, visit: Visit) -> Spans:
        return visit.spans or aggregation(visit.document, other_anchors=False)

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        anchors = visit.links.best(self._anchor_scores(visit.rows(anchor(visit.document))))
        blocks = self.classifier_.probabilities(visit.rows(self.context(visit)))
        spoken = {"P(c|anchor)": float(anchors[link])} if anchors[link] >= 0 else {}
        return {"θ": self.threshold, **spoken, "P(c|block)": float(blocks[link])}

    def _select(self, visit: Visit) -> _Selection:
        anchors = visit.links.best(self._anchor_scores(visit.rows(anchor(visit.document))))
        by_anchor = anchors >= self.threshold
        contexts = self.classifier_.probabilities(visit.rows(self.context(visit)))
        by_context = ~by_anchor & (contexts >= self.threshold)
        return _Selection(np.where(by_anchor, anchors, contexts), by_anchor, by_context)

    def _anchor_scores(self, anchors: TokenRows) -> Floats:
        """P(c|anchor); −1 for an anchor without a term."""
        probabilities = self.classifier_.probabilities(anchors)
        return np.where(np.diff(anchors.indptr) > 0, probabilities, -1.0)

    def telemetry(self) -> dict[str, float]:
        return {
            "used_anchor": self.used_anchor_,
            "used_context": self.used_context_,
            "used_none": self.used_none_,
        }

    def state(self) -> dict[str, Any]:
        return {**self.telemetry(), "taken": self.taken_.array()}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.used_anchor_ = int(state["used_anchor"])
        self.used_context_ = int(state["used_context"])
        self.used_none_ = int(state["used_none"])
        self.taken_.restore(state["taken"])
