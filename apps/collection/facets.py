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
    fetch_parts,
    grouped_filters,
    passing,
    tables,
)
from apps.collection.full_text.parts import QueryPart
from apps.collection.search import CollectionSearch
from apps.search.filter import Counted, Filter
from apps.search.sql import among
from apps.search.values import Grouped

Row = Sequence[Any]


@dataclass(frozen=True, slots=True)
class Facets:
    """Pages by value of each filter, by the filter's id. A page counts once, but among crawls once
    for each that has fetched it.

    `pages` counts those of the search, near-duplicates separately; `all` those of the crawls
    that have the words, ignoring the filters.
    """

    pages: int
    all: int
    counts: Mapping[str, Mapping[Any, int]]

    def of(self, filter: Filter[Any]) -> Mapping[Any, int]:
        """Pages by value of one filter; empty for one without counts."""
        return self.counts.get(filter.id, {})


def facets(search: CollectionSearch) -> Facets:
    """The counts shown beside the filters of a search."""
    chosen = tables(search)
    return count_facets(search, *fetch_parts(search, chosen, facet_parts(search)))


def facet_parts(search: CollectionSearch) -> list[QueryPart]:
    """The queries whose rows `count_facets` takes: cells, and the most frequent values of a filter
    that offers those.

    A cell has the values of the counted filters' columns and the number of pages with these values.
    """
    columns = counted_columns()
    names = ", ".join(columns)
    # Crawl by crawl, in the order of an index, so that the database need not sort the pages.
    cells = QueryPart(
        (*columns, "pages"),
        f"SELECT {names}, COUNT(*) AS pages FROM matched WHERE {passing()}"
        f" GROUP BY crawl_id, {names}",
    )
    return [cells, *(_group(f, search.of(f)) for f in grouped_filters())]


def _group(filter: Grouped[Any], value: Any) -> QueryPart:
    """The selected values come first, so that none of them is cut off."""
    first, column = filter.first(value), filter.column
    chosen = among(column, first)
    return QueryPart(
        (column, "pages"),
        f"SELECT {column}, CAST(SUM(of_crawl) AS INTEGER) AS pages FROM"
        f" (SELECT {column}, COUNT(*) AS of_crawl FROM matched WHERE in_choice AND"
        f" {passing(filter)} GROUP BY crawl_id, {column}) AS counted"
        f" GROUP BY {column} ORDER BY CASE WHEN {chosen.sql} THEN 0 ELSE 1 END, pages DESC,"
        f" {column} LIMIT %s",
        (*chosen.params, filter.offers + len(first)),
    )


def count_facets(search: CollectionSearch, cells: Sequence[Row], *grouped: Iterable[Row]) -> Facets:
    """The counts, from the rows of `facet_parts`."""
    columns = [_Column(f.within(search.context), search.of(f)) for f in counted_filters()]
    pages = 0
    for cell in cells:
        failed = [column for column in columns if not column.holds(cell)]
        if not failed:
            pages += cell[-1]
        # A cell that only one filter excludes is counted for that filter.
        for column in columns if not failed else failed if len(failed) == 1 else ():
            column.count(cell)
    counts: dict[str, dict[Any, int]] = {c.filter.id: c.counts for c in columns}
    return Facets(
        pages,
        sum(cell[-1] for cell in cells),
        counts
        | {
            f.id: _grouped_counts(search, f, rows)
            for f, rows in zip(grouped_filters(), grouped, strict=True)
        },
    )


class _Column:
    """One filter's counts. There are many cells, but few distinct values of a filter's columns, so
    its answers are cached."""

    def __init__(self, filter: Counted[Any], value: Any) -> None:
        names = counted_columns()
        self.filter, self.value = filter, value
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
                self.value, row
            )
            self._values[read] = tuple(self.filter.values_of(row))
        return self._holds[read]

    def count(self, cell: Row) -> None:
        """Counts a cell for which `holds` has been called."""
        for value in self._values[self._read(cell)]:
            self.counts[value] += cell[-1]


def _grouped_counts(
    search: CollectionSearch, filter: Grouped[Any], rows: Iterable[Sequence[Any]]
) -> dict[Any, int]:
    """The counts of the values in use, 0 if no page has one, and of the most frequent others."""
    counts: dict[Any, int] = dict.fromkeys(filter.first(search.of(filter)), 0)
    for value, number in rows:
        counts[value] = number
    return _by_count(counts)


def _by_count(counts: Mapping[Any, int]) -> dict[Any, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0] is None, pair[0])))
