"""Link-context quality: how well the text around a link describes its target (LC §10.1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from apps.engine.model import Floats, Ints


@dataclass(frozen=True, slots=True)
class ContextQuality:
    """The mean cosine with the targets' descriptions over `n` links, and the share of zeros.

    Both are None without links.
    """

    n: int
    similarity: float | None
    zero_share: float | None


def context_quality(pairs: Iterable[tuple[Ints, Ints]]) -> ContextQuality:
    """The quality of (context, description) pairs, both as token ids (LC §10.1).

    The description is the editor's, from a directory. **Choice**: plain term frequencies, since the
    paper names no weighting. The cosine with an empty text is 0.
    """
    cosines = np.array([_cosine(context, description) for context, description in pairs])
    if not cosines.size:
        return ContextQuality(0, None, None)
    return ContextQuality(len(cosines), float(cosines.mean()), float((cosines == 0).mean()))


def _cosine(one: Ints, other: Ints) -> float:
    (terms, counts), (others, other_counts) = _count_terms(one), _count_terms(other)
    _, here, there = np.intersect1d(terms, others, assume_unique=True, return_indices=True)
    if not here.size:
        return 0.0
    lengths = np.linalg.norm(counts) * np.linalg.norm(other_counts)
    return float(counts[here] @ other_counts[there] / lengths)


def _count_terms(text: Ints) -> tuple[Ints, Floats]:
    terms, counts = np.unique(text[text >= 0], return_counts=True)
    return terms, counts.astype(np.float64)
