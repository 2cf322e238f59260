"""How the pages of a search become the rows of a file, as parameters of its address."""

from __future__ import annotations

from dataclasses import dataclass

from apps.exports.columns import column_names
from apps.search.filter import Parameters

WITHOUT_DUPLICATES = "without_duplicates"


@dataclass(frozen=True, slots=True)
class RowChoice:
    """With `each_crawl` a page has a row for each crawl that fetched it; `without_duplicates` keeps
    of near-duplicates the one that the list shows; `columns` are those of the rows, the usual ones
    if empty."""

    each_crawl: bool = False
    without_duplicates: bool = False
    columns: tuple[str, ...] = ()

    @classmethod
    def read(cls, query: Parameters) -> RowChoice:
        """The choice in a query string. Raises UnknownColumn."""
        return cls(
            each_crawl=query.get("per", "") == "crawl",
            without_duplicates=query.get(WITHOUT_DUPLICATES, "") in ("1", "true", "on", "yes"),
            columns=column_names(query.getlist("columns")),
        )
