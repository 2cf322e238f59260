"""The judgements of a link's siblings: the other pages that its parents link to."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Any

import numpy as np

from apps.engine.intelligence.classifying.calibration import log_odds
from apps.engine.intelligence.columns import UrlColumn
from apps.engine.model import Floats, Longs

SHRINKAGE = 2.0
MOST_PARENTS = 50
"""A judgement is added to this many parents of its page, the latest ones. Without a limit, a page
that the whole site links to would cost as many additions as the site has pages."""
_ARRAYS = {
    "pages": "i",
    "ends": "q",
    "to": "i",
    "source": "i",
    "before": "i",
    "last": "i",
    "sums": "d",
    "counts": "i",
    "odds": "d",
}


class Siblings:
    """The judgements of each page's children, and their sum over the parents of each URL.

    A page's odds are ln-odds of (Σ judgements of its fetched children + 2·m)/(their number + 2),
    minus those of the crawl's mean m, which is inside (0, 1); 0 without fetched children. `of` has
    for each URL the sum of its parents' odds, as of the last `update`. Memory: 12 bytes a link, 20
    a URL, 32 a page.
    """

    def __init__(self) -> None:
        self._pages = array("i")  # a page's URL number, by its order
        self._ends = array("q")  # the end of its links
        self._to = array("i")  # a link's target
        self._source = array("i")  # the order of its page
        self._before = array("i")  # the previous link to the same target, or −1
        self._last = array("i")  # the last link to a URL, or −1
        self._sums = array("d")  # Σ judgements of a page's fetched children
        self._counts = array("i")
        self._odds = array("d")
        self._changed: set[int] = set()
        self._added: set[int] = set()
        self.of = UrlColumn()
        self.judgement = UrlColumn(np.nan)

    def knows(self, page: int) -> bool:
        """Whether the links of this page have been added."""
        return page in self._added

    def order(self) -> UrlColumn:
        """Which of the pages was added first, second and so on; −1 for all other URLs."""
        order = UrlColumn(-1.0)
        order.set(np.array(self._pages, np.int64), np.arange(len(self._pages), dtype=np.float64))
        return order

    def judge(self, page: int, tau: float) -> None:
        """Counts the judgement of a fetched page, for its parents."""
        self.judgement.set(page, tau)
        link = self._last[page] if page < len(self._last) else -1
        left = MOST_PARENTS
        while link >= 0 and left:
            parent = self._source[link]
            self._sums[parent] += tau
            self._counts[parent] += 1
            self._changed.add(parent)
            link = self._before[link]
            left -= 1

    def correct(self, page: int, tau: float) -> None:
        """Replaces the judgement of a page, for all parents that it counts for."""
        difference = tau - self.judgement.one(page)
        self.judgement.set(page, tau)
        order = self._order_of(page)
        link = self._last[page] if page < len(self._last) else -1
        left = MOST_PARENTS
        while link >= 0 and left:
            parent = self._source[link]
            self._sums[parent] += difference
            self._changed.add(parent)
            link = self._before[link]
            left -= parent < order  # it counts for each parent that was added after it

    def links(self, page: int) -> Longs:
        """The links of a page that has been added, in their order."""
        order = self._order_of(page)
        start = self._ends[order - 1] if order else 0
        return np.array(self._to[start : self._ends[order]], np.int64)

    def _order_of(self, page: int) -> int:
        return self._pages.index(page)

    def add(self, page: int, targets: Longs) -> None:
        """Adds the links of a page; `targets` are distinct."""
        order, at = len(self._pages), len(self._to)
        highest = int(targets.max(initial=-1)) + 1
        self._last.extend([-1] * (highest - len(self._last)))
        last = np.frombuffer(self._last, np.int32)
        self._before.frombytes(last[targets].tobytes())
        last[targets] = np.arange(at, at + len(targets))
        self._to.frombytes(targets.astype(np.int32).tobytes())
        self._source.extend(array("i", [order]) * len(targets))
        self._added.add(page)
        self._pages.append(page)
        self._ends.append(len(self._to))
        judgements = self.judgement[targets]
        judgements = judgements[~np.isnan(judgements)]
        self._sums.append(float(judgements.sum()))
        self._counts.append(len(judgements))
        self._odds.append(0.0)
        self._changed.add(order)

    def update(self, mean: float) -> Longs:
        """Brings `of` up to date with the judgements and links since; `mean` should be that of the
        last `refresh`. Returns the URLs whose value has changed."""
        changed = np.array(sorted(self._changed), np.int64)
        self._changed.clear()
        odds = np.frombuffer(self._odds)
        difference = self._odds_of(changed, mean) - odds[changed]
        moved = difference != 0
        changed, difference = changed[moved], difference[moved]
        odds[changed] += difference
        ends = np.frombuffer(self._ends, np.int64)
        starts = np.where(changed > 0, ends[changed - 1], 0)
        lengths = ends[changed] - starts
        total = int(lengths.sum())
        links = np.arange(total) + np.repeat(starts - np.cumsum(lengths) + lengths, lengths)
        targets, row = np.unique(np.frombuffer(self._to, np.int32)[links], return_inverse=True)
        by_target = np.bincount(row, np.repeat(difference, lengths), len(targets))
        self.of.set(targets, self.of[targets] + by_target)
        return targets.astype(np.int64)

    def refresh(self, mean: float) -> None:
        """Recomputes everything with the crawl's current mean judgement."""
        self._changed.clear()
        odds = np.frombuffer(self._odds)
        odds[:] = self._odds_of(np.arange(len(odds)), mean)
        by_link = odds[np.frombuffer(self._source, np.int32)]
        total = np.bincount(np.frombuffer(self._to, np.int32), by_link)
        self.of.restore(total.astype(np.float64, copy=False))

    def _odds_of(self, orders: Longs, mean: float) -> Floats:
        sums = np.frombuffer(self._sums)[orders]
        counts = np.frombuffer(self._counts, np.int32)[orders]
        shrunk = (sums + SHRINKAGE * mean) / (counts + SHRINKAGE)
        return np.where(counts > 0, log_odds(shrunk) - log_odds(np.array(mean)), 0.0)

    def state(self) -> dict[str, Any]:
        """All of it as arrays."""
        arrays = {name: np.array(getattr(self, f"_{name}")) for name in _ARRAYS}
        changed = np.array(sorted(self._changed), np.int64)
        return {
            **arrays,
            "changed": changed,
            "of": self.of.array(),
            "judgement": self.judgement.array(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores what `state` returned."""
        for name, kind in _ARRAYS.items():
            values = array(kind)
            values.frombytes(np.ascontiguousarray(state[name]).tobytes())
            setattr(self, f"_{name}", values)
        self._changed = set(state["changed"].tolist())
        self._added = set(self._pages)
        self.of.restore(state["of"])
        self.judgement.restore(state["judgement"])
