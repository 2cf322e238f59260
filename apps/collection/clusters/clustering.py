"""Rows of vectors in clusters, and the words that tell clusters apart; deterministic for the same
rows.

Clusters are those of k-means on vectors of length 1; k is the number whose silhouette (Rousseeuw
1987) is best on a sample. A word names a cluster by class-based tf-idf (Grootendorst 2022), counted
by pages: its share of the cluster's pages times ln(1 + 1 / its mean share over all clusters).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from apps.collection.vectors.text_space import Rows
from apps.engine.representation.vectors.word_vectors import scaled

NUMBERS = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20)
LEAST_OF_A_CLUSTER = 5
TRIED_ON, MADE_OF = 1_000, 10_000
STARTS = 4
NAMED_BY = 5
LEAST_SHARE = 0.2
"""A word names a cluster only if so many of its pages have it."""
SETS_APART = 2
"""And only if so many times as many of its pages have it as on the mean of the other clusters."""
NEIGHBOURS = 10
MEASURED = 500
Number = TypeVar("Number", np.float32, np.int64)


@dataclass(frozen=True, slots=True)
class RowClusters:
    """The mean direction of each cluster, and the cluster of each row."""

    centres: Rows
    labels: NDArray[np.int64]


def cluster_rows(rows: Rows) -> RowClusters | None:
    """The clusters of at most `MADE_OF` rows of length 1; None if there are too few of them."""
    possible = [k for k in NUMBERS if k * LEAST_OF_A_CLUSTER <= len(rows)]
    if not possible:
        return None
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    with threadpool_limits(1):  # several threads would add in another order each time
        few = spread(rows, TRIED_ON)
        best = max(possible, key=lambda k: (_silhouette(few, k), -k))
        labels = _k_means(rows, best)
    numbers = np.unique(labels)
    centres = scaled(np.stack([rows[labels == number].mean(axis=0) for number in numbers]))
    return RowClusters(centres, nearest_centres(rows, centres))


def nearest_centres(rows: Rows, centres: Rows) -> NDArray[np.int64]:
    """The number of the nearest centre of each row."""
    numbers: NDArray[np.int64] = np.argmax(rows @ centres.T, axis=1)
    return numbers


def spread(rows: NDArray[Number], most: int) -> NDArray[Number]:
    """At most so many of the rows, evenly spread."""
    if len(rows) <= most:
        return rows
    some: NDArray[Number] = rows[np.linspace(0, len(rows) - 1, most).astype(int)]
    return some


def typical_nearness(rows: Rows) -> float | None:
    """The cosine of a page with its tenth nearest, the median over pages."""
    if len(rows) <= NEIGHBOURS:
        return None
    few = spread(rows, MEASURED)
    cosines = np.sort(few @ rows.T, axis=1)[:, ::-1]
    # The nearest of all is the page itself.
    return float(np.median(cosines[:, NEIGHBOURS]))


def telling_words(clusters: Sequence[Sequence[Mapping[str, str]]]) -> list[list[str]]:
    """The words that name each cluster; a page is its words by their stems."""
    shares = [_shares(pages) for pages in clusters]
    total: Counter[str] = Counter()
    for share in shares:
        total.update(share)
    forms: dict[str, Counter[str]] = {}
    for pages in clusters:
        for page in pages:
            for stem, word in page.items():
                forms.setdefault(stem, Counter())[word] += 1
    named = []
    for share in shares:
        scores = {
            stem: part * np.log(1 + len(shares) / total[stem])
            for stem, part in share.items()
            if part >= LEAST_SHARE and part * (len(shares) - 1) >= SETS_APART * (total[stem] - part)
        }
        best = sorted(scores, key=lambda stem: (-scores[stem], stem))[:NAMED_BY]
        named.append([_usual(forms[stem]) for stem in best])
    return named


def _usual(forms: Counter[str]) -> str:
    return min(forms, key=lambda word: (-forms[word], word))


def _shares(pages: Sequence[Mapping[str, str]]) -> dict[str, float]:
    counts = Counter(stem for page in pages for stem in page)
    return {stem: number / len(pages) for stem, number in counts.items()}


def _k_means(rows: Rows, k: int) -> NDArray[np.int64]:
    from sklearn.cluster import KMeans

    made = KMeans(k, n_init=STARTS, random_state=0).fit(rows.astype(np.float64))
    return np.asarray(made.labels_, np.int64)


def _silhouette(rows: Rows, k: int) -> float:
    from sklearn.metrics import silhouette_score

    labels = _k_means(rows, k)
    several = 1 < len(np.unique(labels)) < len(rows)
    return round(float(silhouette_score(rows, labels)), 6) if several else -1.0
