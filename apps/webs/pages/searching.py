"""Searching the pages of a recorded web, and counting the values of each filter."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apps.engine.errors import BadWebFile
from apps.webs.links import links_path
from apps.webs.models import Web
from apps.webs.pages.filters import (
    BELOW,
    INLINKS,
    UNLABELLED,
    UNUSED,
    WORD_STEPS,
    Order,
    PageFilters,
    branches,
)
from apps.webs.pages.indexing import index_path
from apps.webs.pages.query import condition

HOSTS = 12
_ORDERS = {
    Order.BEST: "rank, page",
    Order.FILE: "page",
    Order.TITLE: "title = '', title COLLATE NOCASE, page",
    Order.LONGEST: "words DESC, page",
    Order.INLINKS: "inlinks DESC, page",
}


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page of the index: its number in the web, from 0, and its properties.

    `inlinks` and `outlinks` count the pages of the web that link to it and that it links to; None
    until links are counted.
    """

    number: int
    url: str
    host: str
    title: str
    words: int
    inlinks: int | None
    outlinks: int | None
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageFacets:
    """Pages by value of each filter, counted with all other filters applied.

    `found` counts the pages of the search. `labels` has UNLABELLED for pages without labels,
    `branches` each branch that labels lie on, counting a page once. `hosts` holds the largest;
    `lengths` has a number for each of WORD_STEPS. `inlinks` is empty if the links of the web are
    not counted; `topics`, by key and UNUSED, if no topic names a page of it.
    """

    found: int
    labels: Mapping[str, int]
    branches: Mapping[str, int]
    hosts: Mapping[str, int]
    lengths: Sequence[int]
    inlinks: Mapping[str, int]
    topics: Mapping[int, int]


class PageIndex:
    """The index of a web, opened for reading. Raises BadWebFile if it has not been made.

    `used` has by the key of a topic the addresses that it names.
    """

    def __init__(self, web: Web, used: Mapping[int, Collection[str]] | None = None) -> None:
        path = index_path(web)
        if not path.is_file():
            raise BadWebFile(f"the pages of {web.name} are not indexed yet")
        self._base = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
        )
        self._take_links(links_path(web))
        self._take_topics(used or {})
        self.language = str(self._one("SELECT value FROM about WHERE name = 'language'"))

    def __enter__(self) -> PageIndex:
        return self

    def __exit__(self, *_: object) -> None:
        self._base.close()

    def count(self, filters: PageFilters) -> int:
        """How many pages are found."""
        return int(self._found("SELECT count(*) FROM found", filters)[0][0])

    def find(self, filters: PageFilters, rows: slice) -> list[FoundPage]:
        """The pages of the search at these positions in its order."""
        start = rows.start or 0
        order = _ORDERS[filters.ordered]
        numbers = self._found(
            "SELECT page FROM found JOIN pages ON number = page LEFT JOIN linked USING (page)"
            f" ORDER BY {order} LIMIT ? OFFSET ?",
            filters, (rows.stop - start, start), ranked=filters.ordered is Order.BEST,
        )  # fmt: skip
        return self.pages([number for (number,) in numbers])

    def numbers(self, filters: PageFilters) -> list[int]:
        """The numbers of all pages found, in the web's own order."""
        return [n for (n,) in self._found("SELECT page FROM found ORDER BY page", filters)]

    def pages(self, numbers: Sequence[int]) -> list[FoundPage]:
        """The pages of those numbers, in their order; unknown numbers are left out."""
        rows = self._rows(
            "SELECT number, url, host, title, words, inlinks, outlinks,"
            " (SELECT json_group_array(name) FROM (SELECT name FROM labelled JOIN labels"
            " ON labels.number = label WHERE page = pages.number ORDER BY label))"
            " FROM json_each(?) AS wanted JOIN pages ON pages.number = wanted.value"
            " LEFT JOIN linked ON linked.page = number ORDER BY wanted.key",
            (json.dumps(list(numbers)),),
        )
        return [FoundPage(*row, tuple(json.loads(labels))) for *row, labels in rows]

    def pages_with(self, stem: str, most: int) -> list[int]:
        """The numbers of pages that have a word in title or text, at most `most` of them."""
        rows = self._rows(
            "SELECT rowid FROM page_words WHERE page_words MATCH ? LIMIT ?",
            (f'{{title text}} : "{stem}"', most),
        )
        return [number for (number,) in rows]

    def linking_to(self, number: int, most: int) -> list[FoundPage]:
        """Pages that link to a page, those with the most in-links first, at most `most`; only if
        links are counted."""
        return self._beside(number, most, near="target", far="source")

    def linked_from(self, number: int, most: int) -> list[FoundPage]:
        """The same of the pages that it links to."""
        return self._beside(number, most, near="source", far="target")

    def _beside(self, number: int, most: int, near: str, far: str) -> list[FoundPage]:
        rows = self._rows(
            f"SELECT {far} FROM links.links JOIN links.pages AS other ON other.number = {far}"
            f" WHERE {near} = ? ORDER BY other.inlinks DESC, {far} LIMIT ?", (number, most),
        )  # fmt: skip
        return self.pages([found for (found,) in rows])

    def addresses_without(self, numbers: Collection[int], label: str) -> list[str]:
        """The addresses of all pages except those with these numbers or that label."""
        rows = self._rows(
            "SELECT number, url FROM pages WHERE number NOT IN (SELECT page FROM labelled"
            " JOIN labels ON labels.number = label WHERE name = ?)", (label,),
        )  # fmt: skip
        return [url for number, url in rows if number not in numbers]

    def facets(self, filters: PageFilters) -> PageFacets:
        """The values of each filter with their counts."""
        hosts = self._found(
            "SELECT host, count(*) AS n FROM found JOIN pages ON number = page"
            " GROUP BY host ORDER BY n DESC, host LIMIT ?", filters, (HOSTS,), "hosts",
        )  # fmt: skip
        return PageFacets(
            self.count(filters), self.label_counts(filters), self._branches(filters), dict(hosts),
            self._lengths(filters),
            self._ranged(INLINKS, "inlinks", "linked USING (page)", filters, "inlinks"),
            self._topics(filters),
        )

    def label_counts(self, filters: PageFilters) -> dict[str, int]:
        """Pages of the search by label, ignoring its own labels, the most frequent first."""
        counts = dict(self._found(
            "SELECT name, count(*) AS n FROM found JOIN labelled USING (page)"
            " JOIN labels ON labels.number = label GROUP BY label ORDER BY n DESC, name",
            filters, without="labels",
        ))  # fmt: skip
        [(bare,)] = self._found(
            "SELECT count(*) FROM found WHERE page NOT IN (SELECT page FROM labelled)",
            filters, without="labels",
        )  # fmt: skip
        return {**counts, **({UNLABELLED: bare} if bare and counts else {})}

    def _branches(self, filters: PageFilters) -> dict[str, int]:
        """Pages of the search by branch, ignoring its own labels."""
        names = dict(self._rows("SELECT name, number FROM labels"))
        above = [(branch, number) for name, number in names.items() for branch in branches(name)]
        if not above:
            return {}
        # A label may be a branch, too: its pages are on it.
        above += [
            (branch, names[branch.removesuffix(BELOW)])
            for branch in dict(above) if branch.removesuffix(BELOW) in names
        ]  # fmt: skip
        self._base.execute("CREATE TEMP TABLE IF NOT EXISTS above (branch TEXT, label INTEGER)")
        self._base.execute("DELETE FROM temp.above")
        self._base.executemany("INSERT INTO temp.above VALUES (?, ?)", above)
        self._base.execute("CREATE INDEX IF NOT EXISTS temp.branch_of_label ON above (label)")
        return dict(self._found(
            "SELECT branch, count(DISTINCT page) FROM found JOIN labelled USING (page)"
            " JOIN above USING (label) GROUP BY branch", filters, without="labels",
        ))  # fmt: skip

    def _lengths(self, filters: PageFilters) -> tuple[int, ...]:
        """Pages of the search by WORD_STEPS, ignoring its own length."""
        ends = [*(step - 1 for step in WORD_STEPS[1:]), None]
        bars = {str(least): (least, most) for least, most in zip(WORD_STEPS, ends, strict=True)}
        found = self._ranged(bars, "words", "pages ON number = page", filters, "lengths")
        return tuple(found.get(name, 0) for name in bars)

    def _ranged(
        self, ranges: Mapping[str, tuple[int, int | None]], column: str, joined: str,
        filters: PageFilters, without: str,
    ) -> dict[str, int]:
        counts = ", ".join(
            f"total({column} BETWEEN {least} AND {9e15 if most is None else most})"
            for least, most in ranges.values()
        )
        [row] = self._found(f"SELECT {counts} FROM found JOIN {joined}", filters, without=without)
        return {name: int(n) for name, n in zip(ranges, row, strict=True) if n}

    def _topics(self, filters: PageFilters) -> dict[int, int]:
        counts = dict(self._found(
            "SELECT topic, count(*) AS n FROM found JOIN used USING (page) GROUP BY topic"
            " ORDER BY n DESC, topic", filters, without="topics",
        ))  # fmt: skip
        [(unused,)] = self._found(
            "SELECT count(*) FROM found WHERE page NOT IN (SELECT page FROM used)", filters,
            without="topics",
        )
        return {UNUSED: unused, **counts} if counts else {}

    def _take_links(self, path: Path) -> None:
        """Loads how many pages link to each, if that was counted: both files number the pages in
        the web's own order."""
        self._base.execute("PRAGMA temp_store = MEMORY")
        if path.is_file():
            address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
            self._base.execute("ATTACH ? AS links", (address,))
            self._base.execute(
                "CREATE TEMP VIEW linked AS SELECT number AS page, inlinks, outlinks"
                " FROM links.pages"
            )
        else:
            self._base.execute(
                "CREATE TEMP TABLE linked (page INTEGER, inlinks INTEGER, outlinks INTEGER)"
            )

    def _take_topics(self, used: Mapping[int, Collection[str]]) -> None:
        self._base.execute(
            "CREATE TEMP TABLE used (topic INTEGER, page INTEGER, PRIMARY KEY (topic, page))"
        )
        for topic, urls in used.items():
            self._base.execute(
                "INSERT INTO used SELECT ?, number FROM pages"
                " WHERE url IN (SELECT value FROM json_each(?))", (topic, json.dumps(list(urls))),
            )  # fmt: skip

    def _found(
        self, sql: str, filters: PageFilters, params: Iterable[Any] = (), without: str = "",
        ranked: bool = False,
    ) -> list[tuple[Any, ...]]:
        wanted = condition(filters, self.language, without, ranked)
        return self._rows(
            f"WITH found AS MATERIALIZED ({wanted.sql}) {sql}", (*wanted.params, *params)
        )

    def _one(self, sql: str) -> Any:
        return self._rows(sql)[0][0]

    def _rows(self, sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self._base.execute(sql, params).fetchall()
