"""The apprentice's features: words with their offsets from every link (AFC §2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.engine.intelligence.growing import Growing
from apps.engine.intelligence.link_memory import Cut, LinkMemory, is_high, threshold
from apps.engine.model import Floats, Ints, Longs, Visit
from apps.engine.parsing.contexts.dom_offsets import dom_offsets

HIGH, LOW = 0, 1
RESERVED = 2
NOBODY = -1


@dataclass(frozen=True, slots=True)
class OffsetFeatures:
    """Occurrences of links, and the pieces of text (patches) near them.

    Feature `feature[i]` is in patch `patch_of[i]`; a patch is the text of a leaf or an anchor.
    Piece j places patch `patch[j]` at offset `offset[j]` (counted from 0 for −dmax) from occurrence
    `occurrence[j]`. `owner` is the URL number to which a patch's own anchor leads (−1: none);
    `source` and `target` are the URL numbers of an occurrence's ends. The first two features stand
    for HIGH and LOW neighbours; the others are classes of the page, then token ids.
    """

    feature: Ints
    patch_of: Ints
    owner: Ints
    occurrence: Ints
    patch: Ints
    offset: NDArray[np.int8]
    source: Ints
    target: Ints


_PARTS = {
    "feature": np.int32,
    "patch_of": np.int32,
    "owner": np.int32,
    "occurrence": np.int32,
    "patch": np.int32,
    "offset": np.int8,
    "source": np.int32,
    "target": np.int32,
}


def page_features(
    visit: Visit, dmax: int, offsets: bool, classes: int = 0, page_classes: Ints | None = None
) -> OffsetFeatures:
    """The features of a page's links.

    Without `offsets` all offsets are merged. `page_classes` are the page's classes, out of
    `classes`; they are in a separate patch at offset 0 from every link.
    """
    spans = dom_offsets(visit.document, dmax)
    where = spans.start.astype(np.int64) << 32 | spans.end
    distinct, patch = np.unique(where, return_inverse=True)
    start, end = distinct >> 32, distinct & 0xFFFFFFFF
    position = _positions(start, end)
    token = visit.tokens[position]
    has_id = token >= 0
    patch_of = np.repeat(np.arange(len(distinct)), end - start)[has_id]
    target = visit.link_numbers[visit.links.target]
    middle = dmax if offsets else 0
    names = np.empty(0, np.int32) if page_classes is None or not spans.rows else page_classes
    rows = np.arange(spans.rows if len(names) else 0)
    return OffsetFeatures(
        feature=_joined(token[has_id] + RESERVED + classes, names + RESERVED),
        patch_of=_joined(patch_of, np.full(len(names), len(distinct))),
        owner=_joined(_owners(visit, start, target), np.full(1 if len(rows) else 0, NOBODY)),
        occurrence=_joined(spans.row, rows),
        patch=_joined(patch, np.full(len(rows), len(distinct))),
        offset=_joined((spans.offset + dmax) * offsets, np.full(len(rows), middle)).astype(np.int8),
        source=np.full(spans.rows, visit.url_number, np.int32),
        target=target.astype(np.int32),
    )


def _positions(start: Longs, end: Longs) -> Longs:
    """The word positions of all patches, concatenated."""
    lengths = end - start
    before = np.repeat(start - np.cumsum(lengths) + lengths, lengths)
    positions: Longs = np.arange(int(lengths.sum())) + before
    return positions


def _owners(visit: Visit, start: Longs, target: Longs) -> Longs:
    """The target of the anchor in which each patch begins."""
    first, end = visit.links.anchor_start, visit.links.anchor_end
    order = np.argsort(first, kind="stable")
    order = order[end[order] > first[order]]
    if not order.size:
        return np.full(len(start), NOBODY)
    position = np.searchsorted(first[order], start, "right") - 1
    link = order[np.maximum(position, 0)]
    inside = (position >= 0) & (start < end[link])
    return np.where(inside, target[link], NOBODY)


def _joined(first: NDArray[Any], second: NDArray[Any]) -> Ints:
    return np.concatenate([first, second]).astype(np.int32)


class OffsetMemory(LinkMemory):
    """Stores the features of all links: about 4 bytes per word and 9 per patch near a link."""

    def __init__(self) -> None:
        super().__init__()
        self._parts = {name: Growing(dtype) for name, dtype in _PARTS.items()}

    def keep(self, visit: Visit, features: OffsetFeatures) -> None:
        """Adds a page with its τ and the features of its links."""
        self.remember(visit)
        patches, occurrences = len(self._parts["owner"]), len(self._parts["target"])
        shift = {"patch_of": patches, "patch": patches, "occurrence": occurrences}
        for name, part in self._parts.items():
            part.extend(getattr(features, name) + _PARTS[name](shift.get(name, 0)))

    def features(self) -> OffsetFeatures:
        """The features of all stored links."""
        return OffsetFeatures(**{name: part.array() for name, part in self._parts.items()})

    def labelled(self, cut: Cut) -> tuple[float, NDArray[np.bool_], NDArray[np.bool_]]:
        """The least τ of a HIGH target, and masks of the HIGH and of the LOW occurrences."""
        features, taus = self.features(), self.targets()
        at_least = threshold(taus, cut)
        edge = self.graph.edge_indices(features.source, features.target)
        tau = np.where(edge >= 0, np.append(taus, np.nan)[edge], np.nan)
        high = is_high(tau, at_least)
        return at_least, high, ~np.isnan(tau) & ~high

    def best(self, scores: Floats) -> Floats:
        """The largest score over each link's occurrences, in the order of `graph.edges()`."""
        features = self.features()
        edge = self.graph.edge_indices(features.source, features.target)
        stored = edge >= 0
        best = np.full(self.graph.links, -np.inf)
        np.maximum.at(best, edge[stored], scores[stored])
        return best

    def state(self) -> dict[str, Any]:
        parts = {f"offsets_{name}": part.array().copy() for name, part in self._parts.items()}
        return {**super().state(), **parts}

    def restore(self, state: Mapping[str, Any]) -> None:
        super().restore(state)
        for name, part in self._parts.items():
            part.restore(state[f"offsets_{name}"])
