"""The link graph of a crawl, over URL numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from apps.engine.model import Ints, Longs

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class LinkGraph:
    """Directed links from fetched pages to URLs; grows page by page.

    Nodes are URL numbers; only fetched pages have out-links. A page's targets are distinct
    and exclude the page itself. Memory: 4 bytes per link, 12 per URL, 12 per fetched page.
    """

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self._sources = np.empty(64, np.int32)
        self._ends = np.empty(64, np.int64)
        self._targets = np.empty(1024, np.int32)
        self._in_degree = np.zeros(1024, np.int64)
        self._position = np.full(1024, -1, np.int32)
        self.pages = 0
        self.links = 0
        self.nodes = 0
        self._matrix: csr_matrix | None = None

    def add(self, source: int, targets: Longs) -> None:
        """Adds a fetched page and the URL numbers it links to. Raises ValueError if added twice."""
        if self.fetched(source):
            raise ValueError(f"page {source} is in the graph already")
        others: Longs = np.unique(targets)
        others = others[others != source]
        self._reserve(max(source, int(others.max(initial=-1))) + 1, len(others))
        self._targets[self.links : self.links + len(others)] = others
        self.links += len(others)
        self._sources[self.pages] = source
        self._ends[self.pages] = self.links
        self._position[source] = self.pages
        self._in_degree[others] += 1
        self.pages += 1
        self._matrix = None

    def fetched(self, number: int) -> bool:
        """Whether this URL's page was fetched, so that its out-links are in the graph."""
        return number < self.nodes and self._position[number] >= 0

    def sources(self) -> Ints:
        """The URL numbers of the fetched pages, in order of addition."""
        return self._sources[: self.pages].copy()

    def targets(self, source: int) -> Ints:
        """The URL numbers a fetched page links to, ascending; empty for any other URL."""
        if not self.fetched(source):
            return np.empty(0, np.int32)
        at = int(self._position[source])
        return self._targets[self._ends[at - 1] if at else 0 : self._ends[at]].copy()

    def in_degrees(self, numbers: Longs | Ints) -> Longs:
        """The number of fetched pages that link to each URL; 0 for a new URL."""
        inside = np.less(numbers, self.nodes)
        return np.where(inside, self._in_degree.take(numbers, mode="clip"), 0)

    def edges(self) -> tuple[Ints, Ints]:
        """The sources and targets of all links, grouped by page in order of addition."""
        counts = np.diff(self._ends[: self.pages], prepend=0)
        return np.repeat(self.sources(), counts), self._targets[: self.links].copy()

    def leads_to(self, numbers: Longs) -> NDArray[np.bool_]:
        """Whether each fetched page, in order of addition, links to any of `numbers`."""
        wanted = np.zeros(self.nodes, np.bool_)
        wanted[numbers[numbers < self.nodes]] = True
        met = np.concatenate([[0], np.cumsum(wanted[self._targets[: self.links]])])
        ends = self._ends[: self.pages]
        leads: NDArray[np.bool_] = met[ends] > met[np.concatenate([[0], ends[:-1]])]
        return leads

    def edge_indices(self, sources: Longs | Ints, targets: Longs | Ints) -> Longs:
        """The index of each link in `edges()`; −1 for a link that is not in the graph."""
        pages = np.repeat(np.arange(self.pages), np.diff(self._ends[: self.pages], prepend=0))
        links = (pages << 32) + self._targets[: self.links]
        page = np.where(sources < self.nodes, self._position.take(sources, mode="clip"), -1)
        wanted = (page.astype(np.int64) << 32) + targets
        position = np.searchsorted(links, wanted)
        exists = (
            np.take(links, position, mode="clip") == wanted if self.links else page > self.pages
        )
        return np.where(exists & (page >= 0), position, -1)

    def matrix(self) -> csr_matrix:
        """The adjacency matrix, nodes × nodes: 1.0 if the row's page links to the column's.

        Cached until the graph grows; must not be modified.
        """
        if self._matrix is None:
            from scipy.sparse import csr_matrix

            source, target = self.edges()
            shape = (self.nodes, self.nodes)
            self._matrix = csr_matrix((np.ones(self.links), (source, target)), shape)
        return self._matrix

    def state(self) -> dict[str, NDArray[Any]]:
        """The graph as three arrays."""
        return {
            "sources": self.sources(),
            "ends": self._ends[: self.pages].copy(),
            "targets": self._targets[: self.links].copy(),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restores what `state` returned."""
        self._clear()
        pages = np.split(state["targets"], state["ends"][:-1]) if len(state["ends"]) else []
        for source, targets in zip(state["sources"], pages, strict=True):
            self.add(int(source), targets)

    def _reserve(self, nodes: int, links: int) -> None:
        self.nodes = max(self.nodes, nodes)
        self._sources = _grown(self._sources, self.pages + 1, 0)
        self._ends = _grown(self._ends, self.pages + 1, 0)
        self._targets = _grown(self._targets, self.links + links, 0)
        self._in_degree = _grown(self._in_degree, self.nodes, 0)
        self._position = _grown(self._position, self.nodes, -1)


def _grown(array: NDArray[Any], size: int, fill: int) -> NDArray[Any]:
    """The array with capacity for `size` entries, doubled if it has less."""
    if size <= len(array):
        return array
    room = np.full(max(size, 2 * len(array)) - len(array), fill, array.dtype)
    return np.concatenate([array, room])
