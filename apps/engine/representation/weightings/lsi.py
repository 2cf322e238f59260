"""Latent semantic indexing: projects texts onto the main directions of a term–document matrix."""

from __future__ import annotations

from typing import Self

import numpy as np

from apps.engine.model import Floats, Ints, TokenRows
from apps.engine.representation.decomposition import truncated_svd
from apps.engine.representation.weightings.base import (
    FixedTerms,
    Occurrences,
    Weighted,
    Weighting,
    occurrences,
)


class Lsi(Weighting):
    """The k largest singular triplets of the term–document matrix A (HCLA §2.1.2, eq. 4–5).

    Plain term frequencies, no idf (HCLA §5.1). A text x becomes U_kᵀx, L2-normalised, with k
    columns that are not terms.

    Also learned: `base_` (U_k, terms × k) and `singular_` (S_k, largest first). With fewer texts or
    terms than k, k is reduced to the rank.
    """

    def __init__(self, k: int = 50, unit: bool = True) -> None:
        self.k = k
        self.unit = unit

    def fit(
        self,
        rows: TokenRows,
        labels: Ints | None = None,
        background: TokenRows | FixedTerms | None = None,
        weights: Floats | None = None,
    ) -> Self:
        """Decomposes the texts, each scaled to unit length first if `unit` is true."""
        super().fit(rows, labels, background, weights)
        weighed = super().weigh(rows) if self.unit else self.counts(rows)
        self.base_, self.singular_, _ = truncated_svd(weighed.matrix().T.tocsr(), self.k)
        return self

    def weigh(self, rows: TokenRows) -> Weighted:
        coordinates = np.asarray(self.counts(rows).matrix() @ self.base_)
        norms = np.linalg.norm(coordinates, axis=1, keepdims=True)
        weight = (coordinates / np.where(norms > 0, norms, 1.0)).ravel()
        count, width = coordinates.shape
        return Weighted(
            count,
            width,
            np.repeat(np.arange(count), width),
            np.tile(np.arange(width), count),
            weight,
        )

    def counts(self, rows: TokenRows) -> Weighted:
        """Term frequencies over the vocabulary, one column per term, not normalised."""
        entries = occurrences(rows, self.columns)
        return Weighted(entries.rows, len(self.terms_), entries.row, entries.column, entries.count)

    def _weigh(self, entries: Occurrences) -> Floats:
        return entries.count
