"""BM25, the combined weight of probabilistic ranking."""

from __future__ import annotations

from typing import Self

import numpy as np

from apps.engine.model import Floats, Ints, TokenRows
from apps.engine.representation.weightings.base import (
    FixedTerms,
    Occurrences,
    Weighting,
    occurrences,
)


class Bm25(Weighting):
    """CFW·tf·(k1 + 1)/(k1·((1 − b) + b·NDL) + tf) with CFW = ln(n/n_i) (HCLA §2.1.1, eq. 1–3).

    NDL is a text's length divided by the mean length of the training texts, both counted in terms
    of the vocabulary (**Choice**). **Erratum** (eq. 1): n_i must be the number of documents with
    the term; the number of occurrences could exceed n and make the weight negative.

    Also learned: `mean_length_`.
    """

    def __init__(self, k1: float = 2.0, b: float = 0.75) -> None:
        self.k1 = k1
        self.b = b

    def fit(
        self,
        rows: TokenRows,
        labels: Ints | None = None,
        background: TokenRows | FixedTerms | None = None,
        weights: Floats | None = None,
    ) -> Self:
        super().fit(rows, labels, background, weights)
        self.mean_length_ = len(rows.ids) / max(len(rows), 1)
        return self

    def relevance(self, rows: TokenRows, query: Ints) -> Floats:
        """Each text's score for a query: the sum of the combined weights of its terms."""
        entries = occurrences(rows, self.columns)
        in_query = np.isin(self.terms_, query)[entries.column]
        return entries.per_row(self._weigh(entries) * in_query)

    def _weigh(self, entries: Occurrences) -> Floats:
        length = entries.per_row(entries.count) / (self.mean_length_ or 1.0)
        fullness = self.k1 * ((1 - self.b) + self.b * length)[entries.row] + entries.count
        weights: Floats = self.idf_[entries.column] * entries.count * (self.k1 + 1) / fullness
        return weights
