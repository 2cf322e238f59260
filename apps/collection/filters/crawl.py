"""The filter by crawls that have fetched a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from apps.collection.filters.filter import Condition, Field, among
from apps.collection.filters.numbers import whole_number
from apps.collection.filters.values import CountedValues
from apps.collection.scope import Scope
from apps.engine.intelligence.strategies import strategy_title


def crawl_words(key: int, scope: Scope) -> str:
    """`#7 Adaptive utility`; only the number if the crawl is not in the scope."""
    strategies = {crawl.pk: crawl.strategy for crawl in scope.crawls}
    return f"#{key} {strategy_title(strategies[key])}" if key in strategies else f"#{key}"


class CrawlFilter(CountedValues[int]):
    """By the crawls that have fetched the page."""

    id = "crawl"
    title = "Crawl"
    sentence = "The crawls that have fetched the page."
    unknown = "is not the number of a crawl of this collection"
    fields = (Field("crawl", "Numbers of crawls.", list[int]),)
    columns = ("crawl_set",)

    def parse(self, text: str) -> int | None:
        return whole_number(text)

    def understood(self, text: str, scope: Scope) -> bool:
        return self.parse(text) in scope.crawl_ids

    def words(self, key: int, scope: Scope) -> str:
        return crawl_words(key, scope)

    def condition(self, value: tuple[int, ...], scope: Scope) -> Condition:
        wanted = {*value}
        keys = [key for key, crawls in scope.sets.items() if not wanted.isdisjoint(crawls)]
        return among("e.crawl_set", keys)

    def values_of(self, row: tuple[Any, ...], scope: Scope) -> Iterable[int]:
        """Every crawl of the scope that has fetched the page, though only one of them shows it."""
        return scope.sets.get(row[0], ())

    def offered(
        self, value: tuple[int, ...], counts: Mapping[int, int], scope: Scope
    ) -> Iterable[int]:
        if scope.only is not None:
            return ()
        return [pk for pk in scope.crawl_ids if pk in value or counts.get(pk)]


CRAWL = CrawlFilter()
