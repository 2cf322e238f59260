"""Status locality: do pages link to pages of their own rank (SL §3.1, Fig. 2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apps.engine.model import Floats, Longs

SAMPLE = 5_000
DISTANCES = 3
_LEAST_PAIRS = 3


@dataclass(frozen=True, slots=True)
class KnownLinks:
    """Pages with what is known of them; node i is page i.

    `inlinks` counts in-links, NaN where unknown; `domains` numbers registered domains. The
    out-links of node i are targets[indptr[i]:indptr[i + 1]].
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
    """Spearman's correlation of in-links at one distance (None: random pairs).

    `cross` is over pairs in different registered domains only. A correlation is None where there
    are fewer than three pairs or one side does not vary.
    """

    distance: int | None
    pairs: int
    correlation: float | None
    cross_pairs: int
    cross: float | None


def status_locality(
    links: KnownLinks, roots: Longs | None = None, sample: int = SAMPLE, seed: int = 0
) -> tuple[Locality, ...]:
    """The correlations at link distance 1 to 3, then of random pairs (RULINGS 41).

    Up to `sample` roots are drawn (from `roots`, else from all pages with a known count and a
    link); a walk of three random links leaves each. Distances are upper bounds: a shorter way
    may exist. Random pairs are the roots with the pages at distance 1, paired anew.
    """
    lot = np.random.default_rng(seed)
    start = _roots(links, roots, sample, lot)
    found = []
    here, origin, first = start, start, start[:0]
    for distance in range(1, DISTANCES + 1):
        goes_on = links.out_degree(here) > 0
        here, origin = _step(links, here[goes_on], lot), origin[goes_on]
        first = here if distance == 1 else first
        found.append(_locality(links, distance, origin, here))
    apart = lot.permutation(first)
    found.append(_locality(links, None, start[: len(apart)], apart))
    return tuple(found)


def _roots(
    links: KnownLinks, roots: Longs | None, sample: int, lot: np.random.Generator
) -> Longs:
    nodes = np.arange(len(links.inlinks)) if roots is None else roots
    usable = nodes[np.isfinite(links.inlinks[nodes]) & (links.out_degree(nodes) > 0)]
    chosen: Longs = lot.permutation(usable)[:sample]
    return chosen


def _step(links: KnownLinks, nodes: Longs, lot: np.random.Generator) -> Longs:
    """A random out-link of each node; every node has one."""
    drawn: Longs = (lot.random(len(nodes)) * links.out_degree(nodes)).astype(np.int64)
    reached: Longs = links.targets[links.indptr[nodes] + drawn]
    return reached


def _locality(links: KnownLinks, distance: int | None, roots: Longs, reached: Longs) -> Locality:
    known = np.isfinite(links.inlinks[reached])
    roots, reached = roots[known], reached[known]
    cross = links.domains[roots] != links.domains[reached]
    return Locality(
        distance,
        len(roots),
        _spearman(links.inlinks, roots, reached),
        int(cross.sum()),
        _spearman(links.inlinks, roots[cross], reached[cross]),
    )


def _spearman(inlinks: Floats, roots: Longs, reached: Longs) -> float | None:
    one, other = inlinks[roots], inlinks[reached]
    if len(one) < _LEAST_PAIRS or not (_varies(one) and _varies(other)):
        return None
    from scipy.stats import spearmanr

    return float(spearmanr(one, other).statistic)


def _varies(values: NDArray[np.float64]) -> bool:
    return bool((values != values[0]).any())
