"""Searching the pages of a recorded web, and counting the values of each filter."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.engine.errors import BadWebFile
from apps.search.filter import Filter
from apps.search.sql import Condition
from apps.search.values import MostFrequent
from apps.webs.links import links_path
from apps.webs.models import Web
from apps.webs.pages.facet_cache import FACETS, Counts, file_version
from apps.webs.pages.filters.label import LABEL, label_counts
from apps.webs.pages.filters.label_tree import BELOW
from apps.webs.pages.filters.page_filter import PageFilter, Select
from apps.webs.pages.filters.topic import TOPIC
from apps.webs.pages.indexing import index_path
from apps.webs.pages.search import PageSearch, WebPageOrder, matching

_ORDERS = {
    WebPageOrder.BEST: "rank, page",
    WebPageOrder.FILE: "page",
    WebPageOrder.TITLE: "title = '', title COLLATE NOCASE, page",
    WebPageOrder.LONGEST: "words DESC, page",
    WebPageOrder.INLINKS: "inlinks DESC, page",
    WebPageOrder.PUBLISHED: "published DESC, page",
}


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page of the index: its number in the web, from 0, and its properties.

    `inlinks` and `outlinks` count the pages of the web that link to it and that it links to; None
    until links are counted. `language` (ISO 639-1) is empty if it does not show, `published`, of
    `precision` day or month, is None if the page names no date.
    """

    number: int
    url: str
    host: str
    title: str
    words: int
    inlinks: int | None
    outlinks: int | None
    language: str
    published: date | None
    precision: str
    labels: tuple[str, ...]

    @property
    def published_text(self) -> str:
        """`2024-05-03`, of a month `2024-05`, or empty."""
        text = self.published.isoformat() if self.published else ""
        return text[:7] if self.precision == "month" else text


@dataclass(frozen=True, slots=True)
class PageFacets:
    """`pages` of the search, and pages by value of each filter, by its id, with all other filters
    applied."""

    pages: int
    counts: Mapping[str, Mapping[Any, int]]

    @property
    def labels(self) -> dict[str, int]:
        """Pages by label, the most frequent first, without branches."""
        counts = self.counts[LABEL.id]
        return {label: pages for label, pages in counts.items() if not label.endswith(BELOW)}


class PageIndex:
    """The index of a web, opened for reading. Raises BadWebFile if it has not been made.

    `used` has by the key of a topic the addresses that it names.
    """

    def __init__(self, web: Web, used: Mapping[int, Collection[str]] | None = None) -> None:
        path = index_path(web)
        # Before they are opened: a file that replaces one of them meanwhile has another version.
        self._version = (file_version(path), file_version(links_path(web)))
        if not path.is_file():
            raise BadWebFile(f"the pages of {web.name} are not indexed yet")
        self._base = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
        )
        self._take_links(links_path(web))
        self._take_topics(used or {})
        self._base.execute("CREATE TEMP TABLE matched (page INTEGER PRIMARY KEY)")
        self._in_matched: Condition | None = None
        self.language = str(self._one("SELECT value FROM about WHERE name = 'language'"))

    def __enter__(self) -> PageIndex:
        return self

    def __exit__(self, *_: object) -> None:
        self._base.close()

    def count(self, search: PageSearch) -> int:
        """How many pages match."""
        return int(self._matching("SELECT count(*) FROM matched", search=search)[0][0])

    def find(self, search: PageSearch, rows: slice) -> list[WebPage]:
        """The pages of the search at these positions in its order."""
        start = rows.start or 0
        order = search.order_in_effect
        numbers = self._matching(
            "SELECT page FROM matched JOIN pages ON number = page LEFT JOIN linked USING (page)"
            f" ORDER BY {_ORDERS[order]} LIMIT %s OFFSET %s",
            (rows.stop - start, start),
            search=search,
            ranked=order is WebPageOrder.BEST,
        )
        return self.pages([number for (number,) in numbers])

    def numbers(self, search: PageSearch, most: int) -> list[int]:
        """The numbers of the pages that match, at most the first `most`, in the web's own order."""
        sql = "SELECT page FROM matched ORDER BY page LIMIT %s"
        rows = self._matching(sql, (most,), search=search)
        return [number for (number,) in rows]

    def pages(self, numbers: Sequence[int]) -> list[WebPage]:
        """The pages of those numbers, in their order; unknown numbers are left out."""
        rows = self._rows(
            "SELECT number, url, host, title, words, inlinks, outlinks, language,"
            " published, precision,"
            " (SELECT json_group_array(name) FROM (SELECT name FROM labelled JOIN labels"
            " ON labels.number = label WHERE page = pages.number ORDER BY label))"
            " FROM json_each(?) AS wanted JOIN pages ON pages.number = wanted.value"
            " LEFT JOIN linked ON linked.page = number ORDER BY wanted.key",
            (json.dumps(list(numbers)),),
        )
        return [_page(*row) for row in rows]

    def addresses(self, numbers: Sequence[int]) -> dict[int, str]:
        """The addresses of the pages of those numbers, in their order; unknown numbers are left
        out."""
        rows = self._rows(
            "SELECT number, url FROM json_each(?) AS wanted JOIN pages ON number = wanted.value"
            " ORDER BY wanted.key",
            (json.dumps(list(numbers)),),
        )
        return dict(rows)

    def labels_of(self, numbers: Iterable[int]) -> Mapping[str, int]:
        """How many of the pages of those numbers have each label."""
        rows = self._rows(
            "SELECT name, count(*) FROM json_each(?) AS wanted JOIN labelled ON page = wanted.value"
            " JOIN labels ON labels.number = label GROUP BY name",
            (json.dumps(list(numbers)),),
        )
        return dict(rows)

    def pages_with(self, stem: str, most: int) -> list[int]:
        """The numbers of pages that have a word in title or text, at most `most` of them."""
        rows = self._rows(
            "SELECT rowid FROM page_words WHERE page_words MATCH ? LIMIT ?",
            (f'{{title text}} : "{stem}"', most),
        )
        return [number for (number,) in rows]

    def linking_to(self, number: int, most: int) -> list[WebPage]:
        """Pages that link to a page, those with the most in-links first, at most `most`; only if
        links are counted."""
        return self._beside(number, most, near="target", far="source")

    def linked_from(self, number: int, most: int) -> list[WebPage]:
        """The pages that it links to, in the same form."""
        return self._beside(number, most, near="source", far="target")

    def _beside(self, number: int, most: int, near: str, far: str) -> list[WebPage]:
        rows = self._rows(
            f"SELECT {far} FROM links.links JOIN links.pages AS other ON other.number = {far}"
            f" WHERE {near} = ? ORDER BY other.inlinks DESC, {far} LIMIT ?",
            (number, most),
        )
        return self.pages([other for (other,) in rows])

    def numbers_without(self, numbers: Collection[int], label: str) -> NDArray[np.int64]:
        """The numbers of all pages without these numbers and without that label, in the web's own
        order."""
        # As one text: a label may have many rows.
        labelled = self._one(
            "SELECT json_group_array(page) FROM labelled"
            " JOIN labels ON labels.number = label WHERE name = ?",
            (label,),
        )
        is_left = np.ones(self._one("SELECT coalesce(max(number), -1) + 1 FROM pages"), dtype=bool)
        is_left[[*numbers, *json.loads(labelled)]] = False
        return np.flatnonzero(is_left)

    def facets(self, search: PageSearch) -> PageFacets:
        """The values of each filter with their counts."""
        counts = {f.id: self.counts(search, f) for f in search.filters}
        return PageFacets(self.count(search), counts)

    def label_counts(self) -> Mapping[str, int]:
        """Pages by label, the most frequent first."""
        search = PageSearch()
        key = (self._version, "label_counts")
        return FACETS.get(key, lambda: label_counts(partial(self._matched, search=search)))

    def counts(self, search: PageSearch, filter: Filter[Any]) -> Counts:
        """The counts of one filter. Those that depend on topics are counted anew, the others are
        the same for every search of these pages until the files are made anew."""
        chosen, others = search.of(filter), search.having(filter, filter.nothing)
        if filter.id == TOPIC.id:
            return _count(filter, partial(self._matching, search=others))
        select = partial(self._matched, search=others)
        if TOPIC.id in others.chosen:
            counts = _count(filter, select)
        else:
            wanted = matching(others, self.language)
            key = (self._version, filter.id, wanted.sql, wanted.params)
            counts = FACETS.get(key, lambda: _count(filter, select))
        if isinstance(filter, MostFrequent):
            return dict.fromkeys(chosen, 0) | dict(counts)
        return counts

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
                " WHERE url IN (SELECT value FROM json_each(?))",
                (topic, json.dumps(list(urls))),
            )

    def _matching(
        self,
        sql: str,
        params: Sequence[Any] = (),
        *,
        search: PageSearch,
        ranked: bool = False,
    ) -> list[tuple[Any, ...]]:
        """The rows of one query over `matched`, the pages of a search, which need not all be read:
        only ranks are computed once, for all of them."""
        wanted = matching(search, self.language, ranked)
        how = "MATERIALIZED" if ranked else "NOT MATERIALIZED"
        return self._rows(f"WITH matched AS {how} ({wanted.sql}) {sql}", (*wanted.params, *params))

    def _matched(
        self, sql: str, params: Sequence[Any] = (), *, search: PageSearch
    ) -> list[tuple[Any, ...]]:
        """The rows of one of several queries over the table `matched` of the pages of a search."""
        wanted = matching(search, self.language)
        if wanted != self._in_matched:
            self._in_matched = None
            self._base.execute("DELETE FROM matched")
            self._rows(f"INSERT INTO matched SELECT page FROM ({wanted.sql})", wanted.params)
            self._in_matched = wanted
        return self._rows(sql, params)

    def _one(self, sql: str, params: Sequence[Any] = ()) -> Any:
        return self._rows(sql, params)[0][0]

    def _rows(self, sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self._base.execute(sql.replace("%s", "?"), params).fetchall()


def _count(filter: Filter[Any], select: Select) -> Counts:
    """Pages by value of a filter; empty for one without counts."""
    if isinstance(filter, PageFilter):
        return filter.counts(select)
    if isinstance(filter, MostFrequent):
        column = filter.column
        rows = select(
            f"SELECT {column}, count(*) AS n FROM matched JOIN pages ON number = page"
            f" GROUP BY {column} ORDER BY n DESC, {column} LIMIT %s",
            (filter.offers,),
        )
        return dict(rows)
    return {}


def _page(*columns: Any) -> WebPage:
    *plain, published, precision, labels = columns
    day = date.fromisoformat(published) if published else None
    named = () if labels == "[]" else tuple(json.loads(labels))
    fields: list[Any] = [*plain, day, precision, named]
    return WebPage(*fields)
