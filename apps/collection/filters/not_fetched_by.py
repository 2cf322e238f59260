"""The filter by crawls that have not fetched a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from apps.collection.filters.crawl import crawl_words
from apps.collection.filters.filter import Condition, Field, among
from apps.collection.filters.panels import Hidden
from apps.collection.filters.values import CountedValues
from apps.collection.scope import Scope
from apps.schemas.numbers import whole_number


class NotFetchedBy(CountedValues[int]):
    """By crawls none of which has fetched the page."""

    id = "not_fetched_by"
    title = "Fetched by none"
    sentence = "Crawls none of which has fetched the page. A comparison of crawls leads here."
    unknown = "is not the number of a crawl of this collection"
    fields = (
        Field("not_fetched_by", "Numbers of crawls none of which has fetched the page.", list[int]),
    )
    columns = ("crawl_set",)

    def parse(self, text: str) -> int | None:
        return whole_number(text)

    def understood(self, field: str, text: str, scope: Scope) -> bool:
        return self.parse(text) in scope.crawl_ids

    def chip(self, key: int, scope: Scope) -> str:
        return f"not fetched by {crawl_words(key, scope)}"

    def condition(self, value: tuple[int, ...], scope: Scope) -> Condition:
        return among("e.crawl_set", [k for k, by in scope.sets.items() if self.passes(value, by)])

    def holds(self, value: tuple[int, ...], row: tuple[Any, ...], scope: Scope) -> bool:
        return self.passes(value, scope.sets.get(row[0], ()))

    def values_of(self, row: tuple[Any, ...], scope: Scope) -> Iterable[int]:
        return scope.sets.get(row[0], ())

    def passes(self, unwanted: tuple[int, ...], crawls: tuple[int, ...]) -> bool:
        """Whether pages that exactly these crawls have fetched are chosen."""
        return {*unwanted}.isdisjoint(crawls)

    def panel(  # type: ignore[override]
        self, value: tuple[int, ...], counts: Mapping[Any, int], scope: Scope
    ) -> Hidden:
        return Hidden(tuple(self.pairs(value)))


NOT_FETCHED_BY = NotFetchedBy()
