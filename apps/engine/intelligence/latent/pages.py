"""The fetched pages of a crawl for HCLA: their terms, and their similarity to the query."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.engine.intelligence.columns import UrlColumn
from apps.engine.intelligence.latent.web import NEGLIGIBLE, Entries
from apps.engine.intelligence.triplets import Triplets
from apps.engine.model import Floats, Longs, TokenRows
from apps.engine.representation.weightings.lsi import Lsi


class LatentPages:
    """Pages by their index in the order of fetching.

    `queries` are counts over the corpus terms, one column per query. The terms of new pages are
    counted lazily, for all of them at once.
    """

    def __init__(self, lsi: Lsi, queries: Floats) -> None:
        self._lsi = lsi
        lengths = np.maximum(np.linalg.norm(queries, axis=0), NEGLIGIBLE)
        self._directions = lsi.base_.T @ (queries / lengths)
        self._texts, self._likeness = Triplets(), UrlColumn()
        self._unread: list[TokenRows] = []
        self._read = 0

    def add(self, page: TokenRows) -> None:
        """Adds the next page, as one row."""
        self._unread.append(page)

    def texts(self, pages: Longs) -> Entries:
        """The terms of `pages` (ascending indices), with rows relative to `pages`."""
        self._count()
        return among(pages, self._texts.entries())

    def best(self, most: int, leads: NDArray[np.bool_]) -> Longs:
        """The indices of at most `most` pages, ascending. Pages in `leads` come first, then those
        most similar to a query in the space of the corpus.
        """
        self._count()
        order = np.lexsort((-self._likeness.array(), ~leads))
        return np.sort(order[:most])

    def _count(self) -> None:
        if not self._unread:
            return
        entries = self._lsi.counts(TokenRows.of([page.row(0) for page in self._unread]))
        self._texts.add(entries.row + self._read, entries.column, entries.weight)
        coordinates = entries.matrix() @ self._lsi.base_
        lengths = np.maximum(np.linalg.norm(coordinates, axis=1), NEGLIGIBLE)
        pages = self._read + np.arange(len(self._unread))
        self._likeness.set(pages, (coordinates @ self._directions).max(axis=1) / lengths)
        self._read += len(self._unread)
        self._unread = []

    def state(self) -> dict[str, NDArray[Any]]:
        """The terms and the similarities as arrays."""
        self._count()
        return {"likeness": self._likeness.array(), **self._texts.state("texts")}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores what `state` returned."""
        self._texts.restore("texts", state)
        self._likeness.restore(state["likeness"])
        self._read, self._unread = len(state["likeness"]), []


def among(chosen: Longs, entries: Entries) -> Entries:
    """The entries whose row is in `chosen` (ascending), with rows relative to `chosen`."""
    row, column, value = entries
    position = np.full(max(int(row.max(initial=-1)), int(chosen.max(initial=-1))) + 1, -1)
    position[chosen] = np.arange(len(chosen))
    new = position[row]
    is_chosen = new >= 0
    return new[is_chosen], column[is_chosen], value[is_chosen]
