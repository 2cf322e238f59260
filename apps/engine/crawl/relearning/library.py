"""The interface through which a running crawl reads its own pages again."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from apps.engine.answers import Answer
from apps.engine.topics import Example


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """A page of the crawl: its URL number, its number t in the crawl, and the fetched answer."""

    number: int
    seq: int
    answer: Answer


@dataclass(frozen=True, slots=True)
class PackedPage:
    """A page of the crawl with its `PageRecord.contexts`; `url` is the final one."""

    number: int
    seq: int
    url: str
    contexts: bytes


class Library(Protocol):
    """The pages of one crawl, read from the page store or from a recorded web."""

    async def labelled_examples(self, labels: Sequence[int]) -> tuple[Example, ...]:
        """The labelled pages as examples, in the order of `labels` (their ids).

        Raises BadWebFile if a page is gone.
        """
        ...

    async def packed_pages(self, numbers: Sequence[int]) -> Sequence[PackedPage]:
        """The pages with these URL numbers that have packed link contexts."""
        ...

    def pages(self, numbers: Sequence[int]) -> AsyncIterator[FetchedPage]:
        """The pages with these URL numbers, in their order. Raises BadWebFile if one is gone."""
        ...
