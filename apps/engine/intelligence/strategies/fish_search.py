"""Fish-Search: links of relevant pages first; paths of irrelevant pages end after some steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self

import numpy as np

from apps.engine.codes import Need
from apps.engine.intelligence.columns import UrlColumn
from apps.engine.intelligence.strategies.base import Scores
from apps.engine.intelligence.strategies.explains import Explains
from apps.engine.intelligence.strategies.parameters import NumberRange, Symbol
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Visit

WIDER = 1.5
RELEVANT, IRRELEVANT, BEYOND = 1.0, 0.5, 0.0


class FishSearch(Explains):
    """Gives links of a relevant page 1 and others 0.5, down to a depth that relevant pages reset.

    De Bra & Post (1994), the ancestor of HCLA's Shark-Search. A page has a depth; its links are
    followed while that is above 0. They get the full depth if the page is relevant and one less
    than the page's otherwise. The first `width` links of an irrelevant page score 0.5, the first
    1.5·`width` of a relevant one 1, further ones 0. **Choice**: a page is relevant if it has at
    least the share `threshold` of the keywords' distinct terms.

    Parameters:
        depth: the number of consecutive irrelevant pages to follow.
        width: the number of links of an irrelevant page that score above 0.
        threshold: the share of the keywords' terms that makes a page relevant.
    """

    formula = "1 on a relevant page, 0.5 on another, 0 beyond the width"
    id = "fish_search"
    title = "Fish-Search"
    paper = "HCLA"
    section = "HCLA §5.1 (after De Bra & Post 1994)"
    advice = "Of historical interest: keywords only, no ranking among relevant pages."
    needs = frozenset({Need.KEYWORDS})

    def __init__(
        self,
        *,
        depth: Annotated[int, NumberRange(1, 100), Symbol("D")] = 3,
        width: Annotated[int, NumberRange(1, 10_000)] = 20,
        threshold: Annotated[float, NumberRange(0, 1)] = 0.5,
    ) -> None:
        self.depth = depth
        self.width = width
        self.threshold = threshold

    def fit(self, topic: TopicModel) -> Self:
        self.query_ = np.unique(topic.query().ids)
        self.depths_ = UrlColumn(-1.0)
        return self

    def learn(self, visit: Visit) -> None:
        """Sets the depth of the page's links, unless they have a greater one."""
        depth = self._depth_of_links(visit)
        if depth >= 0:
            numbers = visit.link_numbers
            self.depths_.set(numbers, np.maximum(self.depths_[numbers], depth))

    def score_links(self, visit: Visit) -> Scores:
        count = len(visit.links)
        if self._depth_of_links(visit) < 0:
            return [None] * count
        relevant = self._relevant(visit)
        first = int(WIDER * self.width) if relevant else self.width
        score = RELEVANT if relevant else IRRELEVANT
        return np.where(np.arange(count) < first, score, BEYOND)

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        terms = float(np.isin(self.query_, visit.page().ids).mean())
        return {
            "keywords on the page": terms,
            "needed": self.threshold,
            "depth left": max(self._depth_of_links(visit), 0.0),
        }

    def _relevant(self, visit: Visit) -> bool:
        terms = visit.page().ids
        return float(np.isin(self.query_, terms).mean()) >= self.threshold

    def _depth_of_links(self, visit: Visit) -> float:
        """The depth of the page's links; negative if they are not followed."""
        depth = self.depths_.one(visit.url_number)
        if visit.parent < 0 or depth < 0:
            depth = self.depth
        if depth <= 0:
            return -1.0
        return float(self.depth) if self._relevant(visit) else depth - 1

    def state(self) -> dict[str, Any]:
        return {"depths": self.depths_.array()}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.depths_.restore(state["depths"])
