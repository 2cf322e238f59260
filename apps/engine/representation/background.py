"""A background: the weight of words outside a topic.

A topic has few texts. Unlabelled ones show which words are rare and, by their main latent
directions, which words go together: a text may resemble the examples without a common word.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from apps.engine.errors import BadCheckpoint
from apps.engine.model import Floats, Ints, TokenRows
from apps.engine.representation.decomposition import left_factors
from apps.engine.representation.weightings.base import FixedTerms, Weighted, document_frequency
from apps.engine.representation.weightings.smart import Smart

VERSION = 1
DIRECTIONS = 50
LEAST_TEXTS = 2
"""A word of fewer texts goes together with nothing."""


class BackgroundStatistics:
    """The document frequencies of unlabelled texts, and the first k right singular vectors of their
    term–document matrix, whose rows are the texts' smart weights scaled to length 1.

    Learned: `texts_` (N), `terms_` (token ids, ascending), `idf_` (ln((N + 1)/(df + 1)) of each)
    and `directions_` (terms × k', single precision, with k' ≤ k directions of length 1; 0 for words
    of a single text).
    """

    def __init__(self, k: int = DIRECTIONS) -> None:
        self.k = k

    def fit(self, texts: TokenRows, counted: int | None = None) -> Self:
        """Counts and decomposes the texts; deterministic. Texts without words in common have no
        directions.

        Only the first `counted` texts (default: all), N, give the rarity of words; the others
        only which go together.
        """
        self.texts_ = len(texts) if counted is None else counted
        width = int(texts.ids.max(initial=-1)) + 1
        occurring = document_frequency(texts, None, width)
        self.terms_: Ints = np.flatnonzero(occurring).astype(np.int32)
        frequency = document_frequency(texts.first(self.texts_), None, width)[self.terms_]
        self.idf_: Floats = np.log((self.texts_ + 1) / (frequency + 1))
        shared = np.where(occurring[self.terms_] >= LEAST_TEXTS, self.idf_, 0.0)
        matrix = Smart().fit(texts, background=FixedTerms(self.terms_, shared)).transform(texts)
        right = np.asarray(matrix.T @ left_factors([matrix], len(texts), self.k))
        lengths = np.linalg.norm(right, axis=0)
        right = right[:, lengths > 0] / lengths[lengths > 0]
        # In C's order, or each product would turn the whole matrix around first.
        self.directions_ = np.ascontiguousarray(right, np.float32)
        return self

    def __len__(self) -> int:
        """The number of directions."""
        return int(self.directions_.shape[1])

    def fixed_terms(self) -> FixedTerms:
        """The vocabulary and its idf, for a weighting."""
        return FixedTerms(self.terms_, self.idf_)

    def coordinates(self, texts: Weighted) -> Floats:
        """The latent coordinates (texts × directions), each text scaled to length 1, of texts
        weighed with `fixed_terms`.

        0 for a text without these words. A text has the same bits among any others.
        """
        coordinates = texts.times(self.directions_).astype(np.float64)
        lengths = np.sqrt((coordinates * coordinates).sum(axis=1, keepdims=True))
        scaled: Floats = coordinates / np.where(lengths > 0, lengths, 1.0)
        return scaled

    def state(self) -> dict[str, Any]:
        """The learned state, as arrays and plain values."""
        return {
            "version": VERSION,
            "texts": self.texts_,
            "terms": self.terms_,
            "idf": self.idf_,
            "directions": self.directions_,
        }

    def restore(self, state: Mapping[str, Any]) -> Self:
        """Restores what `state` returned. Raises BadCheckpoint for another version."""
        if state["version"] != VERSION:
            raise BadCheckpoint(f"a background of version {state['version']}, not {VERSION}")
        self.texts_ = int(state["texts"])
        self.terms_, self.idf_ = state["terms"], state["idf"]
        self.directions_ = state["directions"]
        return self

    def digest(self) -> str:
        """A name of all that was learned: the same for the same texts and the same k."""
        digest = hashlib.sha256(f"{VERSION} {self.texts_}".encode())
        arrays: tuple[NDArray[Any], ...] = (self.terms_, self.idf_, self.directions_)
        for array in arrays:
            digest.update(repr((array.dtype.str, array.shape)).encode())
            digest.update(array.tobytes())
        return digest.hexdigest()[:40]
