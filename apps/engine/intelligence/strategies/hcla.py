"""HCLA: ranks URLs by their similarity to the query in a latent space of texts and links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np

from apps.engine.codes import Need
from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.columns import UrlColumn
from apps.engine.intelligence.corpus import corpus_texts
from apps.engine.intelligence.latent.crawl_graph import crawl_graph, fold, without_folding
from apps.engine.intelligence.latent.expanded_corpus import linked_factors
from apps.engine.intelligence.latent.pages import LatentPages, among
from apps.engine.intelligence.latent.web import (
    Expansion,
    cosines_with_documents,
    expand,
    noise_or,
    priorities,
    project,
)
from apps.engine.intelligence.strategies.base import WaitingUrls
from apps.engine.intelligence.strategies.parameters import NumberRange, Symbol
from apps.engine.intelligence.strategies.relearns import Relearns
from apps.engine.intelligence.strategies.reordered import Reordered
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.intelligence.triplets import Triplets
from apps.engine.model import Floats, Longs, TokenRows, Visit
from apps.engine.parsing.contexts.anchor import anchor
from apps.engine.representation.weightings.lsi import Lsi

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Query = Literal["keywords", "examples", "frontier"]


class Hcla(Reordered, Relearns):
    """Gives a URL its cosine with the query in the latent space of texts and links (HCLA §4).

    The term–document matrix of the corpus is decomposed once. Each reorder starts from it and adds
    a row for every fetched page (the links from it) and a column for every fetched page and every
    waiting URL; a waiting URL's column has only links (and optionally anchor text). **Erratum**
    (eq. 10, 17, 18): as printed every waiting URL becomes zero; the corrected update of Zha & Simon
    is used. **Erratum** (§6): with examples for keywords the noise-or of the cosines counts
    negative ones as 0. **Choice**: with the frontier as queries, the examples are added to the
    corpus. A URL with an undefined cosine, or any URL for a query without corpus terms, gets the
    lowest score. To bound the cost, a reorder leaves out pages without links to waiting URLs first,
    then those least similar to the query, and the URLs ranked lowest last time (§5.1). **Choice**:
    half of a full reorder is reserved for URLs that were never ranked, in order of discovery, so
    that new ones can overtake. Before the first reorder the crawl is breadth-first, the explorative
    start recommended in §6.

    Parameters:
        k: dimensions of the latent space.
        link_weight: the weight of a link relative to one occurrence of a term.
        columns: unit normalises every document to length 1 (the paper); raw did better on WebKB.
        self_link: whether a page links to itself, so that its text influences its targets.
        anchor_text: whether a waiting URL's text is that of the anchors that link to it.
        query: the keywords; the positive examples, combined by a noise-or; or, as in HCLA §6, each
            waiting URL (frontier), compared with the positive examples in the corpus.
        terms: the most frequent terms of the corpus that count.
        most_pages: the maximum number of fetched pages in a reorder; 0 means all.
        most_waiting: the maximum number of waiting URLs in a reorder; 0 means all.
        corpus_links: whether links among the documents of the corpus count, as one more row each.
        corpus_until: pages after which the corpus is dropped and only the crawl's own pages span
            the space (HCLA §6); 0 keeps it.
    """

    formula = "cosine of v with q in the space of links and words, over the largest"
    id = "hcla"
    title = "HCLA"
    paper = "HCLA"
    section = "HCLA §4"
    advice = "Where there are keywords and a corpus of the field's texts, but no labels."
    needs = frozenset({Need.KEYWORDS, Need.CORPUS})

    def __init__(
        self,
        *,
        k: Annotated[int, NumberRange(1, 1000), Symbol("k")] = 50,
        link_weight: Annotated[float, NumberRange(0, 100)] = 1.0,
        columns: Literal["unit", "raw"] = "unit",
        self_link: bool = True,
        anchor_text: bool = False,
        query: Query = "keywords",
        terms: Annotated[int, NumberRange(10, 100_000)] = 1000,
        most_pages: Annotated[int, NumberRange(0, 1_000_000)] = 2000,
        most_waiting: Annotated[int, NumberRange(0, 10_000_000)] = 50_000,
        corpus_links: bool = False,
        corpus_until: Annotated[int, NumberRange(0, 1_000_000)] = 0,
        reorders_every: Annotated[int, NumberRange(1, 100_000), Symbol("N")] = 50,
        first_reorder: Annotated[int, NumberRange(0, 100_000)] = 0,
    ) -> None:
        super().__init__(reorders_every=reorders_every, first_reorder=first_reorder)
        self.k = k
        self.link_weight = link_weight
        self.columns: Literal["unit", "raw"] = columns
        self.self_link = self_link
        self.anchor_text = anchor_text
        self.query: Query = query
        self.terms = terms
        self.most_pages = most_pages
        self.most_waiting = most_waiting
        self.corpus_links = corpus_links
        self.corpus_until = corpus_until

    def needed(self) -> frozenset[Need]:
        if self.query == "keywords":
            return self.needs
        return self.needs - {Need.KEYWORDS} | {Need.EXAMPLES}

    def reads_examples(self) -> bool:
        return self.query != "keywords"

    def fit(self, topic: TopicModel) -> Self:
        super().fit(topic)
        rows, documents = corpus_texts(topic, self.terms, self.query == "frontier")
        lsi = self.lsi_ = Lsi(self.k, self.columns == "unit").fit(rows)
        self.how_ = Expansion(self.link_weight, self.self_link, self.columns == "unit")
        self.stored_ = lsi.base_ * lsi.singular_
        if self.corpus_links:
            self.stored_ = linked_factors(lsi, rows, documents, self.how_)
        self.queries_ = lsi.counts(self._query(topic)).matrix().toarray().T
        self.pages_, self.anchors_ = LatentPages(lsi, self.queries_), Triplets()
        self.last_ = UrlColumn(np.nan)
        return self

    def _query(self, topic: TopicModel) -> TokenRows:
        if self.query == "keywords":
            return topic.query()
        if not len(topic.rows(True)):
            raise NeedsMissing(Need.EXAMPLES, "needs positive examples as queries")
        return topic.rows(True)

    def learn(self, visit: Visit) -> None:
        super().learn(visit)
        self.pages_.add(visit.page())
        if self.anchor_text:
            spoken = self.lsi_.counts(visit.rows(anchor(visit.document)))
            targets = visit.link_numbers[visit.links.target[spoken.row]]
            self.anchors_.add(targets, spoken.column, spoken.weight)

    def rank(self, frontier: WaitingUrls) -> Floats:
        chosen = self._waiting(frontier.numbers)
        waiting = frontier.numbers[chosen]
        pages = self._pages(waiting)
        web = crawl_graph(self.graph_, waiting, pages)
        nodes = without_folding(web) if self.anchor_text else fold(web)
        stored = self._stored()
        matrix = expand(
            nodes.web,
            len(stored),
            self.pages_.texts(pages),
            among(waiting, self.anchors_.entries()),
            self.how_,
            nodes.copies,
        )
        scores = np.zeros(len(frontier.numbers))
        scores[chosen] = self._priorities(stored, matrix, web.fetched)[nodes.group]
        self.last_.set(waiting, scores[chosen])
        return scores

    def _priorities(self, stored: Floats, matrix: csr_matrix, fetched: int) -> Floats:
        """The priority of each waiting column of D."""
        if self.query == "frontier":
            cosines = cosines_with_documents(stored, matrix, self.k, fetched, self.queries_)
            return noise_or(cosines)
        return priorities(project(stored, matrix, self.k, fetched).cosines(self.queries_))

    def _stored(self) -> Floats:
        """U_k·S_k of the corpus, with no columns after it is dropped."""
        dropped = 0 < self.corpus_until <= self.graph_.pages
        return self.stored_[:, :0] if dropped else self.stored_

    def _waiting(self, numbers: Longs) -> Longs:
        """The indices of the waiting URLs in a reorder, ascending."""
        if not 0 < self.most_waiting < len(numbers):
            return np.arange(len(numbers))
        last = self.last_[numbers]
        best = np.argsort(-last, kind="stable")
        ranked = int((~np.isnan(last)).sum())
        reranked = min(ranked, self.most_waiting // 2)
        new = best[ranked:][: self.most_waiting - reranked]
        return np.sort(np.concatenate([best[:ranked][: self.most_waiting - len(new)], new]))

    def _pages(self, waiting: Longs) -> Longs:
        """The indices of the fetched pages in a reorder, ascending."""
        if not 0 < self.most_pages < self.graph_.pages:
            return np.arange(self.graph_.pages)
        return self.pages_.best(self.most_pages, self.graph_.leads_to(waiting))

    def state(self) -> dict[str, Any]:
        return {
            **super().state(),
            **self.pages_.state(),
            **self.anchors_.state("anchors"),
            "last": self.last_.array(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        super().restore(state)
        self.pages_.restore(state)
        self.anchors_.restore("anchors", state)
        self.last_.restore(state["last"])
