"""URL overlap: how many pages two crawls have in common (AFC §3.6, Fig. 11)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UrlOverlap:
    """The numbers of pages fetched by one and by both of two crawls."""

    first_alone: int
    both: int
    second_alone: int

    @property
    def share(self) -> float | None:
        """The Jaccard index of the two sets of pages; None if both are empty."""
        either = self.first_alone + self.both + self.second_alone
        return self.both / either if either else None


def url_overlap(first: Collection[str], second: Collection[str]) -> UrlOverlap:
    """The overlap of two crawls' final URLs."""
    one, other = set(first), set(second)
    both = len(one & other)
    return UrlOverlap(len(one) - both, both, len(other) - both)
