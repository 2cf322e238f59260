"""Text Window: scores a link by the words around it."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from apps.engine.intelligence.classifying.text_scoring import (
    link_probabilities,
    score_blocks,
)
from apps.engine.intelligence.strategies.classified import Classified, Classifier, Idf, Weighting
from apps.engine.intelligence.strategies.parameters import NumberRange, Symbol
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Document, Floats, Judgement, Spans, Visit
from apps.engine.parsing.contexts.window import window


class TextWindow(Classified):
    """Gives a link P(c|window): T/2 words before its anchor, the anchor, and T/2 words after.

    The classifier is trained on whole pages and applied to the windows (LC §8).
    **Choice**: if a page links to a URL several times, the best window counts.

    Parameters:
        window: the number of words around the anchor; fewer are more specific, but more often
            uninformative.
        edge: at a page's edge, fill extends the window on the other side; cut makes it shorter.
    """

    formula = "P(c|window)"
    id = "text_window"
    title = "Text window"
    paper = "LC"
    section = "LC §8"
    advice = "To see what windows alone can do; combined with the page they do better."

    def __init__(
        self,
        *,
        window: Annotated[int, NumberRange(0, 400), Symbol("T")] = 40,
        edge: Literal["fill", "cut"] = "fill",
        classifier: Classifier = "svm",
        weighting: Weighting = "smart",
        idf: Idf = "examples",
    ) -> None:
        super().__init__(classifier=classifier, weighting=weighting, idf=idf)
        self.window = window
        self.edge = edge

    def fit(self, topic: TopicModel) -> Self:
        super().fit(topic)
        self._windows_of_last: tuple[Document, Floats] | None = None
        return self

    def judge(self, visit: Visit) -> Judgement:
        return Judgement(
            topicality=self.classifier_.of_pages.recall(
                visit.document.key, lambda: self._judge_with_windows(visit)
            )
        )

    def _judge_with_windows(self, visit: Visit) -> float:
        """P(c|u); keeps P(c|window) for `score_links`, since all weighed at once cost less."""
        page, windows = score_blocks(
            self.classifier_.probabilities, visit.page(), visit.rows(self.context(visit))
        )
        self._windows_of_last = visit.document, windows
        return float(page[0])

    def score_links(self, visit: Visit) -> Floats:
        last, self._windows_of_last = self._windows_of_last, None
        if last is not None and last[0] is visit.document:
            return visit.links.best(last[1])
        return link_probabilities(self.classifier_, visit, self.context(visit))

    def context(self, visit: Visit) -> Spans:
        return window(visit.document, self.window, self.edge)

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        windows = link_probabilities(self.classifier_, visit, self.context(visit))
        return {**super().explain(visit, link), "P(c|window)": float(windows[link])}
