"""Shark-Search, second variant: URLs inherit their ancestors' similarity to texts of a corpus."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from apps.engine.codes import Need
from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.corpus import corpus_rows
from apps.engine.intelligence.profile import CentroidProfile, Profile
from apps.engine.intelligence.strategies.parameters import NumberRange, Symbol
from apps.engine.intelligence.strategies.ss1 import Ss1
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import TokenRows
from apps.engine.representation.weightings.bm25 import Bm25


class Ss2(Ss1):
    """Gives a URL the score of ss1, with cosines to the corpus documents most similar to the query.

    HCLA's Shark-Search with probabilistic ranking (§5.1, SS2): the keywords are a query to the
    corpus, and pages are compared with the centroid of the documents that score best.
    **Choice**: 20 documents; a page's relevance is the cosine of the bm25 vectors. **Erratum** (eq.
    1): n_i is the number of documents with the term, not of its occurrences.

    Parameters:
        samples: the number of corpus documents used as examples.
        terms: the most frequent terms of the corpus that count.
    """

    id = "ss2"
    title = "Shark-Search (BM25)"
    paper = "HCLA"
    section = "HCLA §2.1.1, §5.1"
    advice = "As Shark-Search (cosine), where a corpus of the field's texts is at hand."
    needs = frozenset({Need.KEYWORDS, Need.CORPUS})

    def __init__(
        self,
        *,
        samples: Annotated[int, NumberRange(1, 10_000), Symbol("n")] = 20,
        terms: Annotated[int, NumberRange(10, 100_000)] = 1000,
        decay: Annotated[float, NumberRange(0, 1), Symbol("d")] = 0.5,
        generations: Annotated[int, NumberRange(1, 10)] = 3,
        parents: Literal["sum", "max"] = "sum",
        reorders_every: Annotated[int, NumberRange(1, 100_000), Symbol("N")] = 50,
        first_reorder: Annotated[int, NumberRange(0, 100_000)] = 0,
    ) -> None:
        super().__init__(
            decay=decay,
            generations=generations,
            parents=parents,
            reorders_every=reorders_every,
            first_reorder=first_reorder,
        )
        self.samples = samples
        self.terms = terms

    def make_profile(self, topic: TopicModel) -> Profile:
        corpus = corpus_rows(topic, self.terms)
        weighting = Bm25().fit(corpus)
        scores = weighting.relevance(corpus, topic.query().ids)
        best = np.argsort(-scores, kind="stable")[: self.samples]
        answers = [corpus.row(int(i)) for i in best if scores[i] > 0]
        if not answers:
            raise NeedsMissing(Need.CORPUS, "needs a corpus in which a keyword occurs")
        return CentroidProfile(weighting, TokenRows.of(answers))
