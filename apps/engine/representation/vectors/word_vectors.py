"""Words with their vectors, and those that are used alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apps.engine.parsing.words import words
from apps.engine.topics import VectorTable

SHORTEST = 3
LEAST_COSINE = 0.4
"""A word that is less alike is no kin."""


@dataclass(frozen=True, slots=True)
class WordVectors:
    """A row of length 1 for each word."""

    listed: Sequence[str]
    rows: NDArray[np.float32]
    index: Mapping[str, int]

    @classmethod
    def of(cls, listed: Sequence[str], rows: NDArray[np.float32]) -> WordVectors:
        """From words with their vectors; of words that differ only in capitals the first counts."""
        first: dict[str, int] = {}
        for i, word in enumerate(listed):
            first.setdefault(word.lower(), i)
        picked = rows[list(first.values())].astype(np.float32)
        return cls(list(first), scaled(picked), {word: i for i, word in enumerate(first)})

    @property
    def table(self) -> VectorTable:
        """The words and rows as a crawl is given them."""
        return VectorTable(self.listed, self.rows)

    def near(self, phrase: str, most: int) -> list[str]:
        """The words used most like a phrase, the nearest first; empty if none of it is listed."""
        own = [self.index[word] for word in words(phrase) if word in self.index]
        if not own:
            return []
        mean = self.rows[own].mean(axis=0)
        cosines = self.rows @ (mean / (float(np.linalg.norm(mean)) or 1.0))
        cosines[own] = -1.0
        order = np.argsort(-cosines, kind="stable")[: 4 * most]
        near = (self.listed[i] for i in order if cosines[i] >= LEAST_COSINE)
        return [word for word in near if len(word) >= SHORTEST and word.isalpha()][:most]


def scaled(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """The rows, each of length 1 unless it is zero."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
