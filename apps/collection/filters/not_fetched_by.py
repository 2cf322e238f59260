"""The filter by crawls that have not fetched a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q

from apps.collection.filters.crawl import crawl_words
from apps.collection.filters.of_crawls import OfCrawls
from apps.schemas.numbers import whole_number
from apps.search.filter import Field
from apps.search.panels import Hidden
from apps.search.values import CountedValues


class NotFetchedBy(OfCrawls, CountedValues[int]):
    """Filters by crawls none of which has fetched the page."""

    id = "not_fetched_by"
    title = "Fetched by none"
    sentence = "Crawls none of which has fetched the page. A comparison of crawls leads here."
    unknown = "is not the number of a crawl of this collection"
    fields = (
        Field("not_fetched_by", "Numbers of crawls none of which has fetched the page.", list[int]),
    )
    example = "not_fetched_by=7"
    columns = ("crawl_set",)

    def parse(self, text: str) -> int | None:
        return whole_number(text)

    def understands(self, field: str, text: str) -> bool:
        return self.parse(text) in self.context.crawl_ids

    def chip(self, key: int) -> str:
        return f"not fetched by {crawl_words(key, self.context.crawls)}"

    def condition(self, value: tuple[int, ...]) -> Q:
        sets = self.context.sets.items()
        return Q(crawl_set__in=[key for key, crawls in sets if self.passes(value, crawls)])

    def holds(self, value: tuple[int, ...], row: tuple[Any, ...]) -> bool:
        return self.passes(value, self.context.sets.get(row[0], ()))

    def values_of(self, row: tuple[Any, ...]) -> Iterable[int]:
        return self.context.sets.get(row[0], ())

    def passes(self, unwanted: tuple[int, ...], crawls: tuple[int, ...]) -> bool:
        """Whether pages that exactly these crawls have fetched are chosen."""
        return {*unwanted}.isdisjoint(crawls)

    def panel(  # type: ignore[override]
        self, value: tuple[int, ...], counts: Mapping[Any, int]
    ) -> Hidden:
        return Hidden(tuple(self.pairs(value)))


NOT_FETCHED_BY = NotFetchedBy()
