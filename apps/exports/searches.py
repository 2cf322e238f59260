"""Downloads of a search of a collection, and their sizes beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from django.contrib.auth.models import User
from django.http import QueryDict

from apps.collection.conditions import similarity_of
from apps.collection.filters.crawl import chosen_crawls
from apps.collection.indexing.index import list_pages
from apps.collection.search import CollectionSearch
from apps.collection.selectors import MatchCounts, count, matching_pages, sample, visits
from apps.collection.shared_pages.same_page import sets_within
from apps.exports.format import Format, Size
from apps.exports.formats import crawl_file_name, topic_file_name
from apps.exports.labels import LabelColumns
from apps.exports.row_choice import RowChoice
from apps.exports.rows import Selection
from apps.exports.sizes import sizes


def selection_of(
    search: CollectionSearch, format: Format, reader: User | None, choice: RowChoice = RowChoice()
) -> Selection:
    """The selection of a search, with the labels that `reader` sees, all of them without one; all
    pages of its crawls are listed in the index first."""
    if not format.holds_pages:
        return _crawls(search)
    searched = search.context
    if searched.unlisted:
        for crawl in searched.crawls:
            list_pages(crawl)
        sets = sets_within(searched.topic, searched.crawl_ids)
        search = search.within(replace(searched, sets=sets))
    keys = matching_pages(search, choice.each_crawl, choice.without_duplicates)
    nearness = similarity_of(search, keys)
    return replace(_pages(search, reader), keys=keys, columns=choice.columns, nearness=nearness)


@dataclass(frozen=True, slots=True)
class Measured:
    """How many rows a download has, or has `at_least`, and the size of its file by format."""

    rows: int
    at_least: bool
    sizes: Mapping[str, Size]


def measure(
    search: CollectionSearch, format: Format, reader: User | None, choice: RowChoice = RowChoice()
) -> Measured:
    """The rows and sizes of a download without making it."""
    totals, pages = sample(search, choice.without_duplicates)
    rows = _rows(search, totals, choice)
    nearness = similarity_of(search, pages)
    chosen = replace(_pages(search, reader), columns=choice.columns, nearness=nearness)
    by_format = sizes(chosen, _crawls(search), pages, rows)
    if format.count is not None:
        return Measured(format.count(_crawls(search)), False, by_format)
    return Measured(rows, totals.at_least, by_format)


def row_count(search: CollectionSearch, choice: RowChoice) -> int:
    """How many rows a file of pages has."""
    return _rows(search, count(search), choice)


def tick_effects(
    query: QueryDict, search: CollectionSearch, names: Iterable[str]
) -> dict[str, int]:
    """How many rows more or fewer there were with each of these ticks changed alone."""
    rows = row_count(search, RowChoice.read(query))
    effects = {}
    for name in names:
        other = query.copy()
        if other.pop(name, ["0"]) == ["0"]:
            other[name] = "1"
        changed = CollectionSearch.read(other, search.context)
        effects[name] = abs(rows - row_count(changed, RowChoice.read(other)))
    return effects


def _rows(search: CollectionSearch, totals: MatchCounts, choice: RowChoice) -> int:
    if choice.each_crawl:
        return visits(search, choice.without_duplicates)
    return totals.shown if choice.without_duplicates else totals.pages


def _pages(search: CollectionSearch, reader: User | None) -> Selection:
    """Every crawl, since a page may be shown for another crawl than the one it is filtered by."""
    searched = search.context
    labels = LabelColumns.of(searched.topic, reader)
    return Selection(tuple(reversed(searched.crawls)), labels=labels)


def _crawls(search: CollectionSearch) -> Selection:
    """The selected crawls: for waiting links the filters of pages do not apply."""
    return Selection(tuple(reversed(chosen_crawls(search))))


def file_name(search: CollectionSearch, extension: str) -> str:
    """The name of the file: that of its crawl if there is one alone, else of its topic."""
    searched = search.context
    if searched.only is not None:
        return crawl_file_name(searched.only, extension)
    return topic_file_name(searched.topic, extension)
