"""Text Window Combo: scores a link by the words around it and by its page."""

from __future__ import annotations

from typing import Annotated, Literal

from apps.engine.intelligence.strategies.classified import Classifier, Idf, Weighting, topicality
from apps.engine.intelligence.strategies.parameters import NumberRange, Symbol
from apps.engine.intelligence.strategies.text_window import TextWindow
from apps.engine.model import Floats, Visit


class TextWindowCombo(TextWindow):
    """Gives a link β·P(c|u) + (1 − β)·P(c|window) (LC §8, eq. 3).

    The best of LC's crawlers by harvest rate.

    Parameters:
        beta: the weight of the page against that of the window.
    """

    formula = "β·P(c|u) + (1 − β)·P(c|window)"
    id = "text_window_combo"
    title = "Text window combo"
    paper = "LC"
    section = "LC §8"
    advice = "The published one to try first: robust on most topics, with 20 examples or more."

    def __init__(
        self,
        *,
        window: Annotated[int, NumberRange(0, 400), Symbol("T")] = 40,
        beta: Annotated[float, NumberRange(0, 1), Symbol("β")] = 0.25,
        edge: Literal["fill", "cut"] = "fill",
        classifier: Classifier = "svm",
        weighting: Weighting = "smart",
        idf: Idf = "examples",
    ) -> None:
        super().__init__(
            window=window, edge=edge, classifier=classifier, weighting=weighting, idf=idf
        )
        self.beta = beta

    def score_links(self, visit: Visit) -> Floats:
        windows = super().score_links(visit)
        return self.beta * topicality(visit) + (1 - self.beta) * windows

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        terms = super().explain(visit, link)
        return {"P(c|u)": topicality(visit), "β": self.beta, **terms}
