"""Term frequency times idf, with cosine normalisation."""

from __future__ import annotations

from apps.engine.model import Floats
from apps.engine.representation.weightings.base import Occurrences, Weighting


class Tfc(Weighting):
    """tf·ln(N/df), L2-normalised (SLC eq. 1)."""

    id = "tfc"
    title = "tf × idf, cosine"

    def _weigh(self, entries: Occurrences) -> Floats:
        weights: Floats = entries.count * self.idf_[entries.column]
        return weights
