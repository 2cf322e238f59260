"""Texts weighed without document frequencies, over a vocabulary that still grows.

A crawl that begins with words has no texts to count rarity over: every idf is 1. Where there are
word vectors, the mean vector of a text's words stands beside its terms.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from apps.engine.model import Floats, TokenRows
from apps.engine.representation.vectors.meanings import NO_MEANINGS, Meanings
from apps.engine.representation.weightings.base import Weighted, occurrences

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


def weigh_terms(rows: TokenRows) -> Weighted:
    """(0.5 + 0.5·tf/max tf) of each text's terms, L2-normalised; the columns are token ids."""
    entries = occurrences(rows)
    share = 0.5 + 0.5 * entries.count / entries.most()[entries.row]
    lengths = np.sqrt(entries.per_row(share * share))
    columns = int(rows.ids.max(initial=-1)) + 1
    weight = share / lengths[entries.row]
    return Weighted(len(rows), columns, entries.row, entries.column, weight)


@dataclass(frozen=True, slots=True)
class Direction:
    """A weight per token id, and one per number of a text's meaning; ids beyond the last have
    none. `meanings` gives texts these numbers."""

    terms: Floats
    meaning: Floats = field(default_factory=lambda: np.zeros(0))
    meanings: Meanings = NO_MEANINGS

    @classmethod
    def of_texts(cls, rows: TokenRows, weights: Floats, meanings: Meanings = NO_MEANINGS) -> Self:
        """The weighted sum of texts, Σ weight·row."""
        texts = weigh_terms(rows)
        by_term = texts.weight * weights[texts.row]
        terms = np.bincount(texts.column, by_term, texts.columns).astype(np.float64)
        return cls(terms, (meanings.of(rows) * weights[:, None]).sum(axis=0), meanings)

    @property
    def length(self) -> float:
        """The longest that a text's inner product can be: the direction's length times a text's."""
        squares = float(np.square(self.terms).sum() + np.square(self.meaning).sum())
        text = 1 + self.meanings.weight**2 if len(self.meaning) else 1.0
        return math.sqrt(squares * text)

    def scores(self, rows: TokenRows) -> Floats:
        """The inner product of each text with the direction; 0 for an empty text."""
        texts = weigh_terms(rows)
        by_term = texts.weight * np.append(self.terms, 0.0).take(texts.column, mode="clip")
        scores = np.bincount(texts.row, by_term, texts.rows).astype(np.float64, copy=False)
        if not len(self.meaning):
            return scores
        # Not `@`: the last bit of BLAS's sums depends on the number of rows.
        meaning: Floats = (self.meanings.of(rows) * self.meaning).sum(axis=1)
        return scores + meaning

    def plus(self, other: Direction, share: float) -> Direction:
        """This direction and `share` times another over the same meanings."""
        terms = np.zeros(max(len(self.terms), len(other.terms)))
        terms[: len(self.terms)] += self.terms
        terms[: len(other.terms)] += share * other.terms
        return Direction(terms, self.meaning + share * other.meaning, self.meanings)

    def state(self) -> dict[str, Any]:
        return {"terms": self.terms, **({"meaning": self.meaning} if len(self.meaning) else {})}

    @classmethod
    def of_state(cls, state: Mapping[str, Any], meanings: Meanings = NO_MEANINGS) -> Self:
        """Restores what `state` returned."""
        return cls(state["terms"], state.get("meaning", np.zeros(0)), meanings)


def matrix_of(rows: TokenRows, meanings: Meanings = NO_MEANINGS) -> csr_matrix:
    """The weighed texts as a sparse matrix, texts × (token ids, then the numbers of their
    meanings)."""
    from scipy.sparse import csr_matrix, hstack

    terms = weigh_terms(rows).matrix()
    if not meanings.width:
        return terms
    return csr_matrix(hstack([terms, csr_matrix(meanings.of(rows))], format="csr"))
