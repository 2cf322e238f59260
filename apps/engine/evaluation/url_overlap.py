"""URL overlap: how much of what one crawl fetched did another fetch too (AFC §3.6, Fig. 11)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many pages two crawls have fetched alone and together."""

    first_alone: int
    both: int
    second_alone: int

    @property
    def share(self) -> float | None:
        """Pages of both over pages of either (Jaccard); None where neither has any."""
        either = self.first_alone + self.both + self.second_alone
        return self.both / either if either else None


def url_overlap(first: Collection[str], second: Collection[str]) -> Overlap:
    """Of the final URLs that two crawls fetched."""
    one, other = set(first), set(second)
    both = len(one & other)
    return Overlap(len(one) - both, both, len(other) - both)
