"""The meaning of a text: the mean vector of its words."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from apps.engine.model import Floats, TokenRows
from apps.engine.representation.stemmers import stemmer
from apps.engine.representation.tokens import Vocabulary
from apps.engine.topics import VectorTable

ENOUGH = 0.5
"""The share of a text's words that must have vectors for its mean vector to count fully."""


class TokenVectors:
    """The vectors of a vocabulary's tokens; the vocabulary may grow.

    A token has the vector of the first listed word of its stem, in most files the most frequent
    one: a crawl's pages do not change it. Without such a word it has none.
    """

    def __init__(self, vectors: VectorTable, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._rows = np.vstack([vectors.rows, np.zeros((1, vectors.rows.shape[1]), np.float32)])
        self._row_of_stem: dict[str, int] = {}
        for stem in map(stemmer, (vocabulary.language or "").split(" ")):
            for row, word in enumerate(vectors.words):
                self._row_of_stem.setdefault(stem(word), row)
        self._row_of_token = np.empty(0, np.int32)

    @property
    def width(self) -> int:
        """The numbers of a vector."""
        return int(self._rows.shape[1])

    def means(self, texts: TokenRows) -> Floats:
        """Texts × numbers: the mean vector of each text's words, of length 1 where `ENOUGH` of them
        are listed.

        **Choice**: where fewer are, it is shorter in proportion, and 0 without any: a text of which
        one word in a hundred is listed would be as near to others as that word.
        """
        from scipy.sparse import csr_matrix

        rows = self._rows_of(texts.ids)
        shape = (len(texts), len(self._rows))
        words = csr_matrix((np.ones(len(rows), np.float32), rows, texts.indptr), shape)
        sums: NDArray[np.float64] = (words @ self._rows).astype(np.float64)
        lengths = np.sqrt((sums * sums).sum(axis=1, keepdims=True))
        heard = np.minimum(self._listed_shares(rows, texts) / ENOUGH, 1.0)
        means: Floats = sums * heard[:, None] / np.where(lengths > 0, lengths, 1.0)
        return means

    def _listed_shares(self, rows: NDArray[np.int32], texts: TokenRows) -> Floats:
        """The share of each text's words that have a vector; 0 of an empty text."""
        listed = np.zeros(len(rows) + 1)
        np.cumsum(rows < len(self._rows) - 1, out=listed[1:])
        counts = np.diff(texts.indptr)
        shares: Floats = np.diff(listed[texts.indptr]) / np.maximum(counts, 1)
        return shares

    def _rows_of(self, tokens: NDArray[np.int32]) -> NDArray[np.int32]:
        seen = len(self._row_of_token)
        if tokens.size and int(tokens.max()) >= seen:
            none = len(self._rows) - 1
            new = (self._vocabulary.word(token) for token in range(seen, len(self._vocabulary)))
            rows = [self._row_of_stem.get(stem, none) for stem in new]
            self._row_of_token = np.append(self._row_of_token, np.array(rows, np.int32))
        return self._row_of_token[tokens]


@dataclass(frozen=True, slots=True)
class Meanings:
    """How much the meaning of a text counts beside its terms: `weight` v makes it [terms ; v·mean
    vector], both of length 1. Without vectors or with v = 0 there are the terms alone."""

    vectors: TokenVectors | None = None
    weight: float = 0.0

    def at(self, weight: float) -> Meanings:
        """The same vectors with another weight."""
        return replace(self, weight=weight)

    @property
    def width(self) -> int:
        """The numbers that a text has beside its terms."""
        return self.vectors.width if self.vectors is not None and self.weight else 0

    def of(self, texts: TokenRows) -> Floats:
        """Texts × `width`."""
        if self.vectors is None or not self.weight:
            return np.zeros((len(texts), 0))
        return self.weight * self.vectors.means(texts)


NO_MEANINGS = Meanings()
