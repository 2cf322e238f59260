"""Filters of a web's pages that count their values themselves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from apps.search.filter import Filter

Value = TypeVar("Value")
Limits = tuple[int, int | None]
"""The least and the most, None being no limit."""


class Select(Protocol):
    """Runs a query over `matched`: the `page` numbers that pass all other filters."""

    def __call__(self, sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]: ...


class PageFilter(Filter[Value]):
    """A filter with a count beside each of its values."""

    @abstractmethod
    def counts(self, select: Select) -> Mapping[Any, int]:
        """Pages by value."""


def count_ranges(
    select: Select, ranges: Mapping[str, Limits], column: str, joined: str
) -> dict[str, int]:
    """Pages by range of a column of the table `joined`; ranges without any are left out."""
    sums = ", ".join(
        f"total({column} BETWEEN {least} AND {9e15 if most is None else most})"
        for least, most in ranges.values()
    )
    [row] = select(f"SELECT {sums} FROM matched JOIN {joined}")
    return {name: int(pages) for name, pages in zip(ranges, row, strict=True) if pages}
