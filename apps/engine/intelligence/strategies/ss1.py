"""Shark-Search, first variant: URLs inherit the similarity of their ancestors to the keywords."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from apps.engine.codes import Need
from apps.engine.intelligence.columns import UrlColumn
from apps.engine.intelligence.latent.ancestry import inherited_relevance
from apps.engine.intelligence.latent.crawl_graph import crawl_graph
from apps.engine.intelligence.profile import Profile
from apps.engine.intelligence.strategies.base import WaitingUrls
from apps.engine.intelligence.strategies.explains import Explains
from apps.engine.intelligence.strategies.parameters import NumberRange, Symbol
from apps.engine.intelligence.strategies.reordered import Reordered
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Visit


class Ss1(Reordered, Explains):
    """Gives a URL Σ_g d^g · Σ of the cosines of its ancestors at distance g with the keywords.

    HCLA's Shark-Search (§5.1, SS1). **Choice**: the distinct fetched ancestors of a generation add
    up, each at its shortest distance; the paper only gives 0 < d < 1.

    Parameters:
        decay: the factor d by which relevance decays per generation.
        generations: the number of generations of ancestors that count.
        parents: whether the ancestors of a generation add up, or only the best counts.
        terms: the most frequent terms of the background that count (HCLA: 1,000); 0 means all. A
            keyword that is not among them counts nothing.
    """

    formula = "Σ d^g · Σ cos(ancestor g generations back, q), over the largest"
    id = "ss1"
    title = "Shark-Search (cosine)"
    paper = "HCLA"
    section = "HCLA §5.1"
    advice = "Where there are keywords only, and relevant pages lie behind relevant ones."
    needs = frozenset({Need.KEYWORDS})

    def __init__(
        self,
        *,
        decay: Annotated[float, NumberRange(0, 1), Symbol("d")] = 0.5,
        generations: Annotated[int, NumberRange(1, 10)] = 3,
        parents: Literal["sum", "max"] = "sum",
        terms: Annotated[int, NumberRange(0, 100_000)] = 0,
        reorders_every: Annotated[int, NumberRange(1, 100_000), Symbol("N")] = 50,
        first_reorder: Annotated[int, NumberRange(0, 100_000)] = 0,
    ) -> None:
        super().__init__(reorders_every=reorders_every, first_reorder=first_reorder)
        self.decay = decay
        self.generations = generations
        self.parents: Literal["sum", "max"] = parents
        self.terms = terms

    def fit(self, topic: TopicModel) -> Self:
        super().fit(topic)
        self.relevance_ = UrlColumn()
        self.profile_ = self.make_profile(topic)
        return self

    def make_profile(self, topic: TopicModel) -> Profile:
        """The profile with which pages are compared."""
        return topic.keyword_profile(self.terms)

    def learn(self, visit: Visit) -> None:
        super().learn(visit)
        self.relevance_.set(visit.url_number, self._cosine(visit))

    def rank(self, frontier: WaitingUrls) -> Floats:
        web = crawl_graph(self.graph_, frontier.numbers)
        relevance = self.relevance_[self.graph_.sources()]
        return inherited_relevance(web, relevance, self.decay, self.generations, self.parents)

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        return {"cos(u, q)": self._cosine(visit), "d": self.decay}

    def _cosine(self, visit: Visit) -> float:
        return float(self.profile_.cosines(visit.page())[0])

    def state(self) -> dict[str, Any]:
        return {**super().state(), "relevance": self.relevance_.array()}

    def restore(self, state: Mapping[str, Any]) -> None:
        super().restore(state)
        self.relevance_.restore(state["relevance"])
