"""Facets: the values of each filter with their counts, all other filters applied.

The database counts the pages of every combination of the columns with few values; the rest is
addition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from apps.collection.conditions import (
    counted_columns,
    counted_filters,
    most_frequent_filters,
    passing,
    tables,
)
from apps.collection.filters.filter import Counted, Filter, among
from apps.collection.filters.query import Filters
from apps.collection.filters.values import MostFrequent
from apps.collection.scope import Scope
from apps.collection.search import Part, fetch

Row = Sequence[Any]


@dataclass(frozen=True, slots=True)
class Facets:
    """Pages by value of each filter, by the filter's id. A page counts once, but among crawls once
    for each that has fetched it.

    `found` counts the pages of the search, near-duplicates separately; `all` those of the scope
    that have the words, ignoring the filters.
    """

    found: int
    all: int
    counts: Mapping[str, Mapping[Any, int]]

    def of(self, filter: Filter[Any]) -> Mapping[Any, int]:
        """Pages by value of one filter; empty for one without counts."""
        return self.counts.get(filter.id, {})


def facets(scope: Scope, filters: Filters) -> Facets:
    """The counts shown beside the filters of a search."""
    chosen = tables(scope, filters)
    return counted(scope, filters, *fetch(chosen.sql, chosen.params, facet_parts(filters)))


def facet_parts(filters: Filters) -> list[Part]:
    """The queries whose rows `counted` takes: cells, and the most frequent values of each filter
    that offers those.

    A cell has the values of the counted filters' columns and the number of pages with these values.
    """
    columns = counted_columns()
    names = ", ".join(columns)
    places = ", ".join(str(place) for place in range(1, len(columns) + 1))
    cells = Part(
        (*columns, "pages"),
        f"SELECT {names}, COUNT(*) AS pages FROM matched WHERE {passing()} GROUP BY {places}",
    )
    return [cells, *(_most_frequent(f, filters.of(f)) for f in most_frequent_filters())]


def _most_frequent(filter: MostFrequent[Any], value: tuple[Any, ...]) -> Part:
    """The selected values come first, so that none of them is cut off."""
    chosen, column = among(filter.column, value), filter.column
    return Part(
        (column, "pages"),
        f"SELECT {column}, COUNT(*) AS pages FROM matched WHERE in_choice AND {passing(filter)}"
        f" GROUP BY {column} ORDER BY CASE WHEN {chosen.sql} THEN 0 ELSE 1 END, COUNT(*) DESC,"
        f" {column} LIMIT %s",
        (*chosen.params, filter.offers + len(value)),
    )


def counted(
    scope: Scope, filters: Filters, cells: Sequence[Row], *most_frequent: Iterable[Row]
) -> Facets:
    """The counts, from the rows of `facet_parts`."""
    known = [_Column(f, filters.of(f), scope) for f in counted_filters()]
    found = 0
    for cell in cells:
        failed = [column for column in known if not column.holds(cell)]
        if not failed:
            found += cell[-1]
        # A cell that only one filter excludes is counted for that filter.
        for column in (known if not failed else failed if len(failed) == 1 else ()):
            column.count(cell)
    counts = {column.filter.id: column.counts for column in known}
    return Facets(found, sum(cell[-1] for cell in cells), counts | {
        f.id: _by_count(dict.fromkeys(filters.of(f), 0) | dict(rows))
        for f, rows in zip(most_frequent_filters(), most_frequent, strict=True)
    })


class _Column:
    """One filter's counts. There are many cells, but few distinct values of a filter's columns, so
    its answers are cached."""

    def __init__(self, filter: Counted[Any], value: Any, scope: Scope) -> None:
        names = counted_columns()
        self.filter, self.value, self.scope = filter, value, scope
        self.counts = Counter[Any]()
        self._read: Callable[[Row], Any] = itemgetter(*map(names.index, filter.columns))
        self._single = len(filter.columns) == 1
        self._holds: dict[Any, bool] = {}
        self._values: dict[Any, tuple[Any, ...]] = {}

    def holds(self, cell: Row) -> bool:
        read = self._read(cell)
        if read not in self._holds:
            row = (read,) if self._single else read
            self._holds[read] = self.value == self.filter.nothing or self.filter.holds(
                self.value, row, self.scope
            )
            self._values[read] = tuple(self.filter.values_of(row, self.scope))
        return self._holds[read]

    def count(self, cell: Row) -> None:
        """Counts a cell for which `holds` has been called."""
        for value in self._values[self._read(cell)]:
            self.counts[value] += cell[-1]


def _by_count(counts: Mapping[Any, int]) -> dict[Any, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
