"""PLSI + PHITS: ranks URLs by their probability as citations, given the query's factors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self

import numpy as np

from apps.engine.codes import Need
from apps.engine.intelligence.corpus import corpus_rows
from apps.engine.intelligence.latent.crawl_graph import CrawlGraph, crawl_graph
from apps.engine.intelligence.latent.plsi import (
    Counts,
    Factors,
    extend_factors,
    start,
    step,
    temperatures,
)
from apps.engine.intelligence.strategies.base import WaitingUrls
from apps.engine.intelligence.strategies.parameters import NumberRange, Symbol
from apps.engine.intelligence.strategies.reordered import Reordered
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.intelligence.triplets import Triplets
from apps.engine.model import Floats, Longs, Visit
from apps.engine.representation.weightings.base import occurrences
from apps.engine.representation.weightings.tfc import Tfc


class PlsiPhits(Reordered):
    """Gives a URL Σ_z P(URL as citation|z)·P(z|query) (HCLA §2.3, §5.2).

    Documents are the corpus and the fetched pages, citations the links to fetched pages and
    waiting URLs. Each reorder refits the last factors by tempered EM: β starts at 1 and is
    multiplied by η until it falls below its lower limit. **Choice**: the score itself and K = 20
    (the paper has neither); β is lowered after a fixed number of steps; new pages and URLs start
    with uniform factors. **Erratum** (eq. 16): citations are summed over all citable documents, not
    the K factors, and counts are normalised by document.

    Parameters:
        alpha: the weight of terms against links; 1 uses terms only.
        factors: the number of latent factors.
        eta: the factor by which β is lowered each time.
        beta_limit: the lower limit of β.
        steps: the EM steps at each β.
        terms: the most frequent terms of the corpus that count.
    """

    formula = "Σ P(v as citation|z)·P(z|q), over the largest"
    id = "plsi_phits"
    title = "PLSI + PHITS"
    paper = "HCLA"
    section = "HCLA §2.3, §5.2"
    advice = "HCLA's competitor in its paper; slow, for webs of up to a few thousand pages."
    needs = frozenset({Need.KEYWORDS, Need.CORPUS})

    def __init__(
        self,
        *,
        alpha: Annotated[float, NumberRange(0, 1), Symbol("α")] = 0.5,
        factors: Annotated[int, NumberRange(1, 500), Symbol("K")] = 20,
        eta: Annotated[float, NumberRange(0.1, 0.99), Symbol("η")] = 0.9,
        beta_limit: Annotated[float, NumberRange(0.1, 1)] = 0.8,
        steps: Annotated[int, NumberRange(1, 100)] = 5,
        terms: Annotated[int, NumberRange(10, 100_000)] = 1000,
        reorders_every: Annotated[int, NumberRange(1, 100_000), Symbol("N")] = 25,
        first_reorder: Annotated[int, NumberRange(0, 100_000)] = 0,
    ) -> None:
        super().__init__(reorders_every=reorders_every, first_reorder=first_reorder)
        self.alpha = alpha
        self.factors = factors
        self.eta = eta
        self.beta_limit = beta_limit
        self.steps = steps
        self.terms = terms

    def fit(self, topic: TopicModel) -> Self:
        super().fit(topic)
        corpus = corpus_rows(topic, self.terms)
        self.weighting_ = Tfc().fit(corpus)
        self.corpus_ = len(corpus)
        self.texts_ = Triplets()
        entries = occurrences(corpus, self.weighting_.columns)
        self.texts_.add(entries.row, entries.column, entries.count)
        query = occurrences(topic.query(), self.weighting_.columns)
        width = len(self.weighting_.terms_)
        self.query_: Floats = np.bincount(query.column, query.count, width).astype(np.float64)
        self.fitted_ = start(width, 0, self.corpus_, self.factors, topic.seed)
        self.cited_: Longs = np.empty(0, np.int64)
        return self

    def learn(self, visit: Visit) -> None:
        super().learn(visit)
        page = occurrences(visit.page(), self.weighting_.columns)
        self.texts_.add(self.corpus_ + self.graph_.pages - 1, page.column, page.count)

    def rank(self, frontier: WaitingUrls) -> Floats:
        web = crawl_graph(self.graph_, frontier.numbers)
        numbers = np.concatenate([self.graph_.sources().astype(np.int64), frontier.numbers])
        documents = self.corpus_ + self.graph_.pages
        factors = extend_factors(self.fitted_, self.cited_, numbers, documents)
        texts, links = self._counts(web)
        for beta in temperatures(self.eta, self.beta_limit):
            for _ in range(self.steps):
                factors = step(factors, texts, links, self.alpha, beta)
        self.fitted_, self.cited_ = factors, numbers
        return web.frontier(factors.citations @ factors.of_query(self.query_))

    def _counts(self, web: CrawlGraph) -> tuple[Counts, Counts]:
        documents = self.corpus_ + web.fetched
        row, column, count = self.texts_.entries()
        texts = Counts.of(documents, len(self.query_), row, column, count)
        ones = np.ones(len(web.source))
        links = Counts.of(documents, web.nodes, self.corpus_ + web.source, web.target, ones)
        return texts, links

    def state(self) -> dict[str, Any]:
        return {
            **super().state(),
            **self.texts_.state("texts"),
            "P_terms": self.fitted_.terms,
            "P_citations": self.fitted_.citations,
            "P_documents": self.fitted_.documents,
            "cited": self.cited_,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        super().restore(state)
        self.texts_.restore("texts", state)
        self.fitted_ = Factors(state["P_terms"], state["P_citations"], state["P_documents"])
        self.cited_ = state["cited"]
