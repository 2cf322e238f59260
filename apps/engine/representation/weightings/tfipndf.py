"""Term frequency times idf times the share of the class's examples with the term."""

from __future__ import annotations

from typing import Self

import numpy as np

from apps.engine.model import Floats, Ints, TokenRows
from apps.engine.representation.weightings.base import (
    FixedTerms,
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
        background: TokenRows | FixedTerms | None = None,
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
        entries = occurrences(rows, self.columns)
        shares = np.where(
            labels[entries.row] > 0, self.positive_[entries.column], self.negative_[entries.column]
        )
        return self._normalised(entries, shares)

    def views(self, rows: TokenRows) -> tuple[Weighted, ...]:
        """The weights of the texts as positive examples, and as negative examples."""
        entries = occurrences(rows, self.columns)
        return tuple(
            self._normalised(entries, shares[entries.column])
            for shares in (self.positive_, self.negative_)
        )

    def _weigh(self, entries: Occurrences) -> Floats:
        """The weights as in a positive text."""
        weights: Floats = entries.count * self.idf_[entries.column] * self.positive_[entries.column]
        return weights

    def _normalised(self, entries: Occurrences, shares: Floats) -> Weighted:
        weight = entries.count * self.idf_[entries.column] * shares
        norms = np.sqrt(entries.per_row(weight * weight))
        norms[norms == 0] = 1.0
        return Weighted(
            entries.rows, len(self.terms_), entries.row, entries.column, weight / norms[entries.row]
        )

    def _share(self, rows: TokenRows, chosen: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Floats:
        texts = TokenRows.of([rows.row(int(i)) for i in chosen])
        return document_frequency(texts, self.columns, len(self.terms_)) / max(len(texts), 1)
