"""What a crawl has fetched, to be read again while it goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from apps.engine.model import Answer, Example


@dataclass(frozen=True, slots=True)
class ReadAgain:
    """A page of the crawl: its URL number, its t, and the answer as it came."""

    number: int
    seq: int
    answer: Answer


@dataclass(frozen=True, slots=True)
class KeptPage:
    """A page of the crawl as its `PageRecord.text` was; `url` is the one that answered."""

    number: int
    seq: int
    url: str
    text: bytes


class Library(Protocol):
    """Reads from the page store, or from a web that is itself a record."""

    async def labelled(self, labels: Sequence[int]) -> tuple[Example, ...]:
        """The pages that these labels are about, as examples, in the order of the labels.

        Raises BadWebFile where one is gone.
        """
        ...

    async def texts(self, numbers: Sequence[int]) -> Sequence[KeptPage]:
        """Those of these URL numbers' pages whose text was kept."""
        ...

    def pages(self, numbers: Sequence[int]) -> AsyncIterator[ReadAgain]:
        """The pages of these URL numbers, in their order. Raises BadWebFile."""
        ...
