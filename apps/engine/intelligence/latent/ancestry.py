"""The relevance that a waiting URL inherits from the fetched pages that lead to it (HCLA §5.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from apps.engine.intelligence.latent.crawl_graph import CrawlGraph
from apps.engine.model import Floats, Longs

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix, csr_matrix

Parents = Literal["sum", "max"]
BLOCK = 4096


def inherited_relevance(
    web: CrawlGraph, relevance: Floats, decay: float, generations: int, parents: Parents
) -> Floats:
    """Σ_g decay^g · (sum or maximum of the relevance of the ancestors at link distance g).

    One value per waiting URL; `relevance` has one per fetched page. An ancestor counts once, at its
    shortest distance. URLs with the same parents have the same ancestors and are computed once.
    """
    if not web.waiting or not web.fetched:
        return np.zeros(web.waiting)
    among, parent = _adjacency(web)
    group, distinct = _same_parents(parent)
    values = [
        _of_block(among, parent[:, distinct[i : i + BLOCK]], relevance, decay, generations, parents)
        for i in range(0, len(distinct), BLOCK)
    ]
    inherited: Floats = np.concatenate(values)[group]
    return inherited


def _adjacency(web: CrawlGraph) -> tuple[csr_matrix, csc_matrix]:
    """The links among fetched pages, and those from fetched pages (rows) to waiting URLs."""
    from scipy.sparse import csc_matrix, csr_matrix

    inner = web.target < web.fetched
    a, b = web.fetched, web.waiting
    ends = (web.source[inner], web.target[inner])
    among = csr_matrix((np.ones(len(ends[0]), np.float32), ends), (a, a))
    ends = (web.source[~inner], web.target[~inner] - a)
    return among, csc_matrix((np.ones(len(ends[0]), np.float32), ends), (a, b))


def _same_parents(parent: csc_matrix) -> tuple[Longs, Longs]:
    """Groups columns with the same rows: the group of each column, and one column of each group.

    Each row has a random 64-bit hash and each column the sum of its rows' hashes, so that two
    different sets collide with a probability of 1 in 10^19.
    """
    marks = np.random.default_rng(0).integers(0, 2**64, parent.shape[0], np.uint64)
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(marks[parent.indices])])
    keys = sums[parent.indptr[1:]] - sums[parent.indptr[:-1]]
    _, distinct, group = np.unique(keys, return_index=True, return_inverse=True)
    return group, distinct


def _of_block(
    among: csr_matrix,
    ancestors: csc_matrix,
    relevance: Floats,
    decay: float,
    generations: int,
    parents: Parents,
) -> Floats:
    """The inherited relevance of some columns, summed by generation."""
    total = np.zeros(ancestors.shape[1])
    counted = ancestors
    for generation in range(1, generations + 1):
        total += decay**generation * _gathered(ancestors, relevance, parents)
        further = (among @ ancestors).tocsc()
        further.data[:] = 1.0
        ancestors = (further - further.multiply(counted)).tocsc()
        ancestors.eliminate_zeros()
        counted = counted + ancestors
    return total


def _gathered(ancestors: csc_matrix, relevance: Floats, parents: Parents) -> Floats:
    if parents == "sum":
        return np.asarray(ancestors.T @ relevance)
    values = relevance[ancestors.indices]
    columns = np.repeat(np.arange(ancestors.shape[1]), np.diff(ancestors.indptr))
    highest = np.zeros(ancestors.shape[1])
    np.maximum.at(highest, columns, values)
    return highest
