"""The filter by crawls that have not fetched a page."""

from __future__ import annotations

from apps.collection.filters.crawl import crawl_words
from apps.collection.filters.fetched_by import FetchedBy
from apps.collection.filters.filter import Field
from apps.collection.scope import Scope


class NotFetchedBy(FetchedBy):
    """By crawls none of which has fetched the page."""

    id = "not_fetched_by"
    title = "Fetched by none"
    sentence = "Crawls none of which has fetched the page. A comparison of crawls leads here."
    fields = (
        Field("not_fetched_by", "Numbers of crawls none of which has fetched the page.", list[int]),
    )

    def chip(self, key: int, scope: Scope) -> str:
        return f"not fetched by {crawl_words(key, scope)}"

    def passes(self, wanted: tuple[int, ...], crawls: tuple[int, ...]) -> bool:
        return {*wanted}.isdisjoint(crawls)


NOT_FETCHED_BY = NotFetchedBy()
