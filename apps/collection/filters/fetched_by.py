"""The filter by crawls that have all fetched a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from apps.collection.filters.crawl import CrawlFilter, crawl_words
from apps.collection.filters.filter import Condition, Field, among
from apps.collection.filters.panels import Hidden
from apps.collection.scope import Scope


class FetchedBy(CrawlFilter):
    """By crawls that must all have fetched the page; `crawl` needs only one of them."""

    id = "fetched_by"
    title = "Fetched by each"
    sentence = "Crawls that have all fetched the page. A comparison of crawls leads here."
    fields = (Field("fetched_by", "Numbers of crawls that have all fetched the page.", list[int]),)

    def chip(self, key: int, scope: Scope) -> str:
        return f"fetched by {crawl_words(key, scope)}"

    def condition(self, value: tuple[int, ...], scope: Scope) -> Condition:
        return among("e.crawl_set", [k for k, by in scope.sets.items() if self.passes(value, by)])

    def holds(self, value: tuple[int, ...], row: tuple[Any, ...], scope: Scope) -> bool:
        return self.passes(value, scope.sets.get(row[0], ()))

    def passes(self, wanted: tuple[int, ...], crawls: tuple[int, ...]) -> bool:
        """Whether pages fetched by these crawls pass."""
        return {*wanted} <= {*crawls}

    def panel(  # type: ignore[override]
        self, value: tuple[int, ...], counts: Mapping[Any, int], scope: Scope
    ) -> Hidden:
        return Hidden(tuple(self.pairs(value)))


FETCHED_BY = FetchedBy()
