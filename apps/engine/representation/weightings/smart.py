"""SMART's augmented term frequency, after Pant & Srinivasan (2005)."""

from __future__ import annotations

from apps.engine.model import Floats
from apps.engine.representation.weightings.base import Occurrences, Weighting


class Smart(Weighting):
    """(0.5 + 0.5·tf/max tf)·ln(N/df), L2-normalised; the weighting of LC §4 and SL §4.1.

    **Choice**: both papers write only "a standard weighting scheme in the SMART system". The
    formula is applied to terms that occur in the text, and others have weight 0; max tf and the
    norm are taken over terms of the vocabulary, so that a context of 5 words and a page of 500 are
    comparable.
    """

    id = "smart"
    title = "SMART"

    def _weigh(self, entries: Occurrences) -> Floats:
        share = entries.count / entries.most()[entries.row]
        weights: Floats = (0.5 + 0.5 * share) * self.idf_[entries.column]
        return weights
