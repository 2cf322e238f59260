"""Best-first: scores links by the similarity of their page to the topic."""

from __future__ import annotations

from typing import Self

import numpy as np

from apps.engine.intelligence.strategies.explains import Explains
from apps.engine.intelligence.strategies.relearns import Relearns
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Visit


class BestFirst(Explains, Relearns):
    """Gives every link of a page the cosine of the page with the topic (SLC §5.3).

    Weights are not negative, so the cosine is in [0, 1]. **Choice** (SLC gives no representation of
    the topic): the tfc centroid of the positive examples or, without examples, the keywords.
    """

    formula = "cos(u, q)"
    id = "best_first"
    title = "Best-first"
    paper = "SLC"
    section = "SLC §5.3, HCLA §3.2"
    advice = "Where there are only keywords."

    reads = "text"

    def fit(self, topic: TopicModel) -> Self:
        self.profile_ = topic.profile()
        return self

    def score_links(self, visit: Visit) -> Floats:
        return np.full(len(visit.links), self._cosine(visit))

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        return {"cos(u, q)": self._cosine(visit)}

    def _cosine(self, visit: Visit) -> float:
        return float(self.profile_.cosines(visit.page())[0])
