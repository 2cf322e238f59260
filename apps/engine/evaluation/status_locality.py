"""Status locality: whether pages link to pages of similar status (SL §3.1, Fig. 2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apps.engine.model import Floats, Longs

SAMPLE = 5_000
DISTANCES = 3
_LEAST_PAIRS = 3


@dataclass(frozen=True, slots=True)
class StatusGraph:
    """Pages with their links and in-link counts; node i is page i.

    `inlinks` are in-link counts, NaN without one; `domains` are numbers of registered domains. The
    out-links of node i are targets[indptr[i]:indptr[i + 1]]; pages not fetched have none.
    """

    inlinks: Floats
    domains: Longs
    indptr: Longs
    targets: Longs

    def out_degree(self, nodes: Longs) -> Longs:
        degree: Longs = self.indptr[nodes + 1] - self.indptr[nodes]
        return degree


@dataclass(frozen=True, slots=True)
class Locality:
    """Spearman's correlation of in-link counts at one distance (None: random pairs).

    `cross` is over pairs in different registered domains only. `p` and `cross_p` are two-sided
    p-values. All are None with fewer than three pairs or if one side does not vary.
    """

    distance: int | None
    pairs: int
    correlation: float | None
    p: float | None
    cross_pairs: int
    cross: float | None
    cross_p: float | None


def status_locality(
    links: StatusGraph, roots: Longs | None = None, sample: int = SAMPLE, seed: int = 0
) -> tuple[Locality, ...]:
    """The correlations at link distance 1 to 3, then of random pairs (SL §3.1).

    Up to `sample` roots are drawn (from `roots`, else from all pages with a count and a
    link). Of the distinct pages they link to, each with one root, `sample` are drawn as those at
    distance 1; from the links of these the pages at distance 2 are drawn, and so on. All links of a
    hub take part. Distances are upper bounds, since a shorter path may exist. Random pairs are
    `sample` of the drawn pages, each with a random root. **Choice**: only pages with in-link
    counts are drawn, and no page is compared with itself.
    """
    rng = np.random.default_rng(seed)
    start = _roots(links, roots, sample, rng)
    here, origin = start, start
    localities, drawn = [], [start]
    for distance in range(1, DISTANCES + 1):
        here, origin = _step(links, here, origin, sample, rng)
        localities.append(_locality(links, distance, origin, here))
        drawn.append(here)
    localities.append(
        _locality(links, None, *_random_pairs(start, np.concatenate(drawn), sample, rng))
    )
    return tuple(localities)


def _roots(links: StatusGraph, roots: Longs | None, sample: int, rng: np.random.Generator) -> Longs:
    nodes = np.arange(len(links.inlinks)) if roots is None else roots
    usable = nodes[np.isfinite(links.inlinks[nodes]) & (links.out_degree(nodes) > 0)]
    chosen: Longs = rng.permutation(usable)[:sample]
    return chosen


def _step(
    links: StatusGraph, nodes: Longs, origin: Longs, sample: int, rng: np.random.Generator
) -> tuple[Longs, Longs]:
    """Up to `sample` of the distinct pages that the nodes link to, with the root of each."""
    degree = links.out_degree(nodes)
    index = np.arange(degree.sum()) + np.repeat(
        links.indptr[nodes] - np.cumsum(degree) + degree, degree
    )
    reached, root = links.targets[index], np.repeat(origin, degree)
    usable = np.flatnonzero(np.isfinite(links.inlinks[reached]) & (reached != root))
    shuffled = rng.permutation(usable)
    _, first = np.unique(reached[shuffled], return_index=True)
    chosen = shuffled[rng.permutation(first)[:sample]]
    return reached[chosen], root[chosen]


def _random_pairs(
    start: Longs, drawn: Longs, sample: int, rng: np.random.Generator
) -> tuple[Longs, Longs]:
    reached: Longs = rng.permutation(np.unique(drawn))[:sample]
    roots: Longs = start[(rng.random(len(reached)) * len(start)).astype(np.int64)]
    apart = roots != reached
    return roots[apart], reached[apart]


def _locality(links: StatusGraph, distance: int | None, roots: Longs, reached: Longs) -> Locality:
    cross = links.domains[roots] != links.domains[reached]
    return Locality(
        distance,
        len(roots),
        *_spearman(links.inlinks, roots, reached),
        int(cross.sum()),
        *_spearman(links.inlinks, roots[cross], reached[cross]),
    )


def _spearman(inlinks: Floats, roots: Longs, reached: Longs) -> tuple[float | None, float | None]:
    """The correlation and its p-value."""
    one, other = inlinks[roots], inlinks[reached]
    if len(one) < _LEAST_PAIRS or not (_varies(one) and _varies(other)):
        return None, None
    from scipy.stats import spearmanr

    result = spearmanr(one, other)
    return float(result.statistic), float(result.pvalue)


def _varies(values: NDArray[np.float64]) -> bool:
    return bool((values != values[0]).any())
