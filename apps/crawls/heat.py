"""A crawl's pages counted by topicality and status, as each commit adds to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from apps.engine.events import PageRecord

BINS = 10


@dataclass
class Heat:
    """Counts by τ and σ in tenths.

    `counts[s][t]` has the pages of status s/10 to (s + 1)/10 and topicality t/10 to (t + 1)/10.
    `unknown` counts pages without τ or σ.
    """

    unknown: int = 0
    counts: list[list[int]] = field(default_factory=lambda: [[0] * BINS for _ in range(BINS)])

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """From the form of `Crawl.heat`, which is empty before the first page."""
        return cls(**stored)

    def with_pages(self, pages: Iterable[PageRecord]) -> dict[str, Any]:
        """Counts further pages; returns the form of `Crawl.heat`."""
        for page in pages:
            self.add(page.topicality, page.status)
        return {"unknown": self.unknown, "counts": [[*row] for row in self.counts]}

    def add(self, topicality: float | None, status: float | None) -> None:
        """Counts one page."""
        if topicality is None or status is None:
            self.unknown += 1
        else:
            self.counts[_bin(status)][_bin(topicality)] += 1

    @property
    def judged_pages(self) -> int:
        return sum(map(sum, self.counts))


def _bin(share: float) -> int:
    """The index of a tenth; 1.0 belongs to the last."""
    return min(int(share * BINS), BINS - 1)
