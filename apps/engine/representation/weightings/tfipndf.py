"""Term frequency times idf times the share of the class's examples with the term."""

from __future__ import annotations

from typing import Self

import numpy as np

from apps.engine.model import Floats, Ints, TokenRows
from apps.engine.representation.weightings.base import (
    KnownTerms,
    Occurrences,
    Weighted,
    Weighting,
    document_frequency,
    occurrences,
)


class Tfipndf(Weighting):
    """tf·ln(N/df)·P_i/S_P in positive texts, tf·ln(N/df)·N_i/S_N in negative ones (SLC eq. 3–6).

    **Choice**: a text without a label is weighed both ways (`views`), and the mean of the two
    margins is used; the larger margin would make nearly all texts positive. A text held out in
    cross-validation counts as unlabelled, or the label would leak.

    Also learned: `positive_` and `negative_`, P_i/S_P and N_i/S_N, one per column.
    """

    id = "tfipndf"
    title = "tf × ipn × idf"

    def fit(
        self,
        rows: TokenRows,
        labels: Ints | None = None,
        background: TokenRows | KnownTerms | None = None,
        weights: Floats | None = None,
    ) -> Self:
        """Like `Weighting.fit`. Raises ValueError without labels."""
        if labels is None:
            raise ValueError("tfipndf learns from labelled texts only")
        super().fit(rows, labels, background, weights)
        self.positive_ = self._share(rows, np.flatnonzero(labels > 0))
        self.negative_ = self._share(rows, np.flatnonzero(labels <= 0))
        return self

    def weigh_examples(self, rows: TokenRows, labels: Ints) -> Weighted:
        found = occurrences(rows, self.columns)
        shares = np.where(labels[found.row] > 0, self.positive_[found.column],
                          self.negative_[found.column])
        return self._normalised(found, shares)

    def views(self, rows: TokenRows) -> tuple[Weighted, ...]:
        """The weights of the texts as positive examples, and as negative examples."""
        found = occurrences(rows, self.columns)
        return tuple(
            self._normalised(found, shares[found.column])
            for shares in (self.positive_, self.negative_)
        )

    def _weigh(self, found: Occurrences) -> Floats:
        """The weights as in a positive text."""
        weights: Floats = found.count * self.idf_[found.column] * self.positive_[found.column]
        return weights

    def _normalised(self, found: Occurrences, shares: Floats) -> Weighted:
        weight = found.count * self.idf_[found.column] * shares
        norms = np.sqrt(found.per_row(weight * weight))
        norms[norms == 0] = 1.0
        return Weighted(found.rows, len(self.terms_), found.row, found.column,
                        weight / norms[found.row])

    def _share(self, rows: TokenRows, chosen: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Floats:
        texts = TokenRows.of([rows.row(int(i)) for i in chosen])
        return document_frequency(texts, self.columns, len(self.terms_)) / max(len(texts), 1)
