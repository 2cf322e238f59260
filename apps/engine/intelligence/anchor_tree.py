"""A decision tree over the terms of anchors (SLC §5.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.engine.intelligence.link_memory import LinkMemory
from apps.engine.intelligence.triplets import Triplets
from apps.engine.model import Floats, Ints, Longs, TokenRows, Visit
from apps.engine.parsing.contexts.anchor import anchor
from apps.engine.representation.weightings.base import occurrences

LEAF = -1
LEAST_LINKS = 2


@dataclass(frozen=True, slots=True)
class TermTree:
    """Node i tests token `term[i]`; the next node is `absent[i]` or `present[i]`.

    A leaf has the term −1 and P(high) = (1 + its high links)/(2 + its links) in `chance`.
    """

    term: Ints
    absent: Ints
    present: Ints
    chance: Floats

    def chances(self, row: Longs, token: Longs, rows: int) -> Floats:
        """P(high) of each of `rows` texts, given as pairs (row, token)."""
        tested = np.unique(self.term[self.term != LEAF])
        column = np.searchsorted(tested, token)
        is_tested = np.take(tested, column, mode="clip") == token if tested.size else token < 0
        has = np.zeros((rows, max(len(tested), 1)), np.bool_)
        has[row[is_tested], column[is_tested]] = True
        node = np.zeros(rows, np.int64)
        while (inner := np.flatnonzero(self.term[node] != LEAF)).size:
            at = node[inner]
            contains = has[inner, np.searchsorted(tested, self.term[at])]
            node[inner] = np.where(contains, self.present[at], self.absent[at])
        return self.chance[node]


class AnchorMemory(LinkMemory):
    """Stores the anchor terms of every link; those of several occurrences are joined."""

    def __init__(self) -> None:
        super().__init__()
        self._terms = Triplets()

    def keep(self, visit: Visit) -> None:
        """Adds a page with its τ and its anchors."""
        self.remember(visit)
        link, token = anchor_terms(visit)
        number = visit.link_numbers[link]
        targets = self.graph.targets(visit.url_number)
        other = number != visit.url_number
        edge = self.graph.links - len(targets) + np.searchsorted(targets, number[other])
        self._terms.add(edge, token[other], 1.0)

    def terms(self) -> tuple[Longs, Longs]:
        """All pairs (link, token)."""
        link, token, _ = self._terms.entries()
        return link, token

    def state(self) -> dict[str, Any]:
        return {**super().state(), **self._terms.state("terms")}

    def restore(self, state: Mapping[str, Any]) -> None:
        super().restore(state)
        self._terms.restore("terms", state)


def anchor_terms(visit: Visit) -> tuple[Longs, Longs]:
    """All pairs (index in `visit.links.urls`, token of its anchors)."""
    rows: TokenRows = visit.rows(anchor(visit.document))
    entries = occurrences(rows)
    target = visit.links.target[entries.row].astype(np.int64)
    pairs = np.unique(target << 32 | entries.column)
    return pairs >> 32, pairs & 0xFFFFFFFF


def grow_tree(
    row: Longs, token: Longs, high: NDArray[np.bool_], taught: NDArray[np.bool_], least: int
) -> TermTree | None:
    """A tree learned from the `taught` links, or None if all are HIGH or all are LOW.

    Terms must occur in two of them; a leaf has at least `least` links.
    """
    from scipy.sparse import csr_matrix
    from sklearn.tree import DecisionTreeClassifier

    labels = high[taught]
    if not labels.any() or labels.all():
        return None
    number = np.cumsum(taught) - 1
    chosen = taught[row]
    terms, column, count = np.unique(token[chosen], return_inverse=True, return_counts=True)
    common = count >= LEAST_LINKS
    position = np.cumsum(common) - 1
    entries = common[column]
    where = (number[row[chosen]][entries], position[column[entries]])
    shape = (len(labels), int(common.sum()))
    matrix = csr_matrix((np.ones(len(where[0]), np.float32), where), shape)
    if not matrix.shape[1]:
        return None
    fitted = DecisionTreeClassifier(min_samples_leaf=least, random_state=0).fit(matrix, labels)
    return _plain(fitted, matrix, labels, terms[common])


def _plain(fitted: Any, matrix: Any, labels: NDArray[np.bool_], terms: Longs) -> TermTree:
    """scikit-learn's tree as arrays, with smoothed probabilities at its leaves."""
    tree = fitted.tree_
    leaf = fitted.apply(matrix)
    links = np.bincount(leaf, minlength=tree.node_count)
    high = np.bincount(leaf, labels, tree.node_count)
    inner = tree.children_left != LEAF
    term = np.where(inner, terms[np.where(inner, tree.feature, 0)], LEAF)
    return TermTree(
        term.astype(np.int32),
        tree.children_left.astype(np.int32),
        tree.children_right.astype(np.int32),
        (high + 1) / (links + 2),
    )
