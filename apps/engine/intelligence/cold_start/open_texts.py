"""Texts weighed without document frequencies, over a vocabulary that still grows.

A crawl that begins with words has no texts to count rarity over: every idf is 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from apps.engine.model import Floats, TokenRows
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
    """A weight per token id; ids beyond the last have none."""

    terms: Floats

    @classmethod
    def of_texts(cls, rows: TokenRows, weights: Floats) -> Self:
        """The weighted sum of texts, Σ weight·row."""
        texts = weigh_terms(rows)
        by_term = texts.weight * weights[texts.row]
        return cls(np.bincount(texts.column, by_term, texts.columns).astype(np.float64))

    def scores(self, rows: TokenRows) -> Floats:
        """The inner product of each text with the direction; 0 for an empty text."""
        texts = weigh_terms(rows)
        by_term = texts.weight * np.append(self.terms, 0.0).take(texts.column, mode="clip")
        return np.bincount(texts.row, by_term, texts.rows).astype(np.float64, copy=False)

    def plus(self, other: Direction, share: float) -> Direction:
        """This direction and `share` times another."""
        terms = np.zeros(max(len(self.terms), len(other.terms)))
        terms[: len(self.terms)] += self.terms
        terms[: len(other.terms)] += share * other.terms
        return Direction(terms)

    def state(self) -> dict[str, Any]:
        return {"terms": self.terms}

    @classmethod
    def of_state(cls, state: Mapping[str, Any]) -> Self:
        """Restores what `state` returned."""
        return cls(state["terms"])


def matrix_of(rows: TokenRows) -> csr_matrix:
    """The weighed texts as a sparse matrix, texts × token ids."""
    return weigh_terms(rows).matrix()
