"""A weighting with the latent coordinates of a background beside the terms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import DTypeLike

from apps.engine.model import Floats, Ints, TokenRows
from apps.engine.representation.background import BackgroundStatistics
from apps.engine.representation.weightings.base import FixedTerms, Weighted, Weighting

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


@dataclass(frozen=True, slots=True)
class WeightedBeside(Weighted):
    """Weighted texts with dense columns after those of the terms: `coordinates`, rows ×
    directions."""

    coordinates: Floats

    def project(self, weights: Floats) -> Floats:
        # Not `coordinates @ …`: the last bit of BLAS's sums depends on the number of texts.
        latent: Floats = (self.coordinates * weights[self.columns :]).sum(axis=1)
        return Weighted.project(self, weights[: self.columns]) + latent

    def products(self, weights: Floats) -> Floats:
        latent: Floats = (self.coordinates[:, :, None] * weights[self.columns :]).sum(axis=1)
        return Weighted.products(self, weights[: self.columns]) + latent

    def matrix(self, dtype: DTypeLike = np.float64) -> csr_matrix:
        from scipy.sparse import csr_matrix, hstack

        coordinates = self.coordinates.astype(dtype)
        return csr_matrix(hstack([Weighted.matrix(self, dtype), coordinates]))


class Beside(Weighting):
    """[weighted terms ; latent coordinates]: a weighting of the background's vocabulary, with its
    idf, and the coordinates of the texts it weighs. Each part of a text is scaled to length 1.

    `columns` and `terms_` are those of the terms, the latent columns follow them.
    """

    def __init__(self, weighting: Weighting, background: BackgroundStatistics) -> None:
        self.background = background
        self._weighting = weighting

    def fit(
        self,
        rows: TokenRows,
        labels: Ints | None = None,
        background: TokenRows | FixedTerms | None = None,
        weights: Floats | None = None,
    ) -> Self:
        """Fits the weighting to `rows`, with the vocabulary and the idf of its own background."""
        self._weighting.fit(rows, labels, self.background.fixed_terms(), weights)
        self._take_columns()
        return self

    def state(self) -> dict[str, Any]:
        """The state of the weighting; the background has its own."""
        return self._weighting.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        self._weighting.restore(state)
        self._take_columns()

    def _take_columns(self) -> None:
        weighting = self._weighting
        self.columns, self.terms_, self.idf_ = weighting.columns, weighting.terms_, weighting.idf_

    def weigh(self, rows: TokenRows) -> WeightedBeside:
        return self._beside(self._weighting.weigh(rows))

    def weigh_examples(self, rows: TokenRows, labels: Ints) -> WeightedBeside:
        return self._beside(self._weighting.weigh_examples(rows, labels))

    def views(self, rows: TokenRows) -> tuple[Weighted, ...]:
        return tuple(self._beside(view) for view in self._weighting.views(rows))

    def pulls(self, influence: Floats, tokens: Ints) -> Floats:
        """The pull of the terms themselves and of their latent coordinates."""
        along = self.background.directions_ @ influence[len(self.terms_) :]
        both: Floats = np.append(influence[: len(self.terms_)] + along, 0.0)
        return super().pulls(both, tokens)

    def _beside(self, weighed: Weighted) -> WeightedBeside:
        return WeightedBeside(
            weighed.rows,
            weighed.columns,
            weighed.row,
            weighed.column,
            weighed.weight,
            self.background.coordinates(weighed),
        )
