"""Topic profiles, for strategies that compare texts by the cosine."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from apps.engine.model import Floats, Ints, TokenRows
from apps.engine.representation.weightings import Weighting
from apps.engine.representation.weightings.base import occurrences


class Profile(Protocol):
    """A vector in the space of terms."""

    def cosines(self, rows: TokenRows) -> Floats:
        """The cosine of each text with the profile, in [0, 1]; 0 for a text without terms."""
        ...


class CentroidProfile:
    """The mean of weighted example pages (SLC §5.3, best-first)."""

    def __init__(self, weighting: Weighting, examples: TokenRows) -> None:
        self.weighting = weighting
        mean = np.asarray(weighting.transform(examples).mean(axis=0), np.float64).ravel()
        self.vector = mean / (float(np.linalg.norm(mean)) or 1.0)

    def cosines(self, rows: TokenRows) -> Floats:
        """The cosine of each text with the centroid; terms of no example do not count."""
        return np.minimum(self.weighting.project(rows, self.vector), 1.0)


class KeywordProfile:
    """The topic's keywords as a tf·idf vector; all terms of a text count in its length.

    `idf` has one entry per token id, the last for all later ids; ones give plain term frequencies.
    """

    def __init__(self, keywords: Ints, idf: Floats) -> None:
        self.idf = idf
        self.vector = np.zeros(int(keywords.max(initial=-1)) + 2)
        np.add.at(self.vector, keywords, idf.take(keywords, mode="clip"))
        self.vector /= float(np.linalg.norm(self.vector)) or 1.0

    def cosines(self, rows: TokenRows) -> Floats:
        """The cosine of each text with the keywords."""
        entries = occurrences(rows)
        weight = entries.count * self.idf.take(entries.column, mode="clip")
        lengths = np.sqrt(entries.per_row(weight * weight))
        products = entries.per_row(weight * self.vector.take(entries.column, mode="clip"))
        return np.minimum(products / np.where(lengths > 0, lengths, 1.0), 1.0)
