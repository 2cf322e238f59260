"""Keys in blocks, of each of which a query or a transaction takes one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")


def in_blocks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """The items in their order, so many at a time."""
    left = iter(items)
    while block := list(islice(left, size)):
        yield block
