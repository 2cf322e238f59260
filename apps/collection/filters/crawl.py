"""The filter by crawls that have fetched a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db.models import Q

from apps.collection.filters.of_crawls import OfCrawls
from apps.crawls.models import Crawl
from apps.engine.intelligence.strategies import strategy_title
from apps.schemas.numbers import whole_number
from apps.search.filter import Counted, Field, Parameters
from apps.search.panels import CheckBoxes, Option, Switch, SwitchPosition
from apps.search.search import Search

MOST = 100


class Match(StrEnum):
    """Which of the chosen crawls must have fetched a page: any, all, or all and no other crawl."""

    ANY = "any"
    ALL = "all"
    ONLY = "only"


SWITCH = {Match.ANY: "any of", Match.ALL: "all of", Match.ONLY: "only"}


@dataclass(frozen=True, slots=True)
class Crawls:
    """The chosen crawls, and how a page must match them; without crawls every page does."""

    keys: tuple[int, ...] = ()
    match: Match = Match.ANY

    def passes(self, crawls: Sequence[int]) -> bool:
        """Whether pages that exactly these crawls have fetched are chosen."""
        wanted = {*self.keys}
        if self.match is Match.ANY:
            return not wanted or not wanted.isdisjoint(crawls)
        return wanted == {*crawls} if self.match is Match.ONLY else wanted <= {*crawls}


def crawl_words(key: int, crawls: Iterable[Crawl]) -> str:
    """`#7 Adaptive utility`; only the number if it is none of the crawls."""
    strategies = {crawl.pk: crawl.strategy for crawl in crawls}
    return f"#{key} {strategy_title(strategies[key])}" if key in strategies else f"#{key}"


def chosen_crawls(search: Search) -> tuple[Crawl, ...]:
    """The crawls of a collection that a search asks for, or all of them."""
    crawls, wanted = search.context.crawls, search.of(CRAWL).keys
    return tuple(crawl for crawl in crawls if not wanted or crawl.pk in wanted)


class CrawlFilter(OfCrawls, Counted[Crawls]):
    """Filters by the crawls that have fetched the page: any or all of those chosen, or only
    these."""

    id = "crawl"
    title = "In crawls"
    sentence = (
        "Pages that any of the chosen crawls have fetched, that all of them have, or that only they"
        " have and no other crawl."
    )
    unknown = "is not the number of a crawl of this collection"
    fields = (
        Field("crawl", "Numbers of crawls.", list[int]),
        Field(
            "crawl_match",
            "any of these crawls, all of them, or only these (any, all, only).",
            str | None,
            unknown=f"is not one of {', '.join(Match)}",
        ),
    )
    example = "crawl=7&crawl=9&crawl_match=only"
    columns = ("crawl_set",)
    nothing = Crawls()

    def read(self, query: Parameters) -> Crawls:
        numbers = (whole_number(text.replace("\0", "")) for text in query.getlist("crawl"))
        keys = tuple(dict.fromkeys(key for key in numbers if key is not None))[:MOST]
        match = next((m for m in Match if m == query.get("crawl_match", "")), Match.ANY)
        return Crawls(keys, match) if keys else self.nothing

    def pairs(self, value: Crawls) -> Iterator[tuple[str, str]]:
        for key in value.keys:
            yield "crawl", str(key)
        if value.match is not Match.ANY:
            yield "crawl_match", value.match

    def understands(self, field: str, text: str) -> bool:
        return (
            text in [*Match]
            if field == "crawl_match"
            else whole_number(text) in self.context.crawl_ids
        )

    def condition(self, value: Crawls) -> Q:
        sets = self.context.sets.items()
        return Q(crawl_set__in=[key for key, crawls in sets if value.passes(crawls)])

    def holds(self, value: Crawls, row: tuple[Any, ...]) -> bool:
        return value.passes(self.context.sets.get(row[0], ()))

    def values_of(self, row: tuple[Any, ...]) -> Iterable[int]:
        """Every searched crawl that has fetched the page, though only one of them shows it."""
        return self.context.sets.get(row[0], ())

    def chips(self, value: Crawls) -> Iterator[tuple[str, Crawls]]:
        """One chip: without one of the crawls, `only` would choose other pages."""
        if value.keys:
            yield _chip(value, self.context.crawls), self.nothing

    def panel(self, value: Crawls, counts: Mapping[int, int]) -> CheckBoxes | None:
        searched = self.context
        if searched.only is not None:
            return None
        options = tuple(
            Option(str(pk), crawl_words(pk, searched.crawls), counts.get(pk, 0), pk in value.keys)
            for pk in sorted(searched.crawl_ids)
            if pk in value.keys or counts.get(pk)
        )
        switch = Switch(
            "crawl_match",
            "Which of the crawls",
            tuple(
                SwitchPosition(match, words, match is value.match)
                for match, words in SWITCH.items()
            ),
        )
        return (
            CheckBoxes(self.title, "crawl", options, switch=switch if searched.several else None)
            if options
            else None
        )


def _chip(value: Crawls, crawls: Iterable[Crawl]) -> str:
    """`in #3 Full page`, `in any of #3 #4`, `only in #3 Full page`, `only in all of #3 #4`."""
    only = "only " if value.match is Match.ONLY else ""
    if len(value.keys) == 1:
        return f"{only}in {crawl_words(value.keys[0], crawls)}"
    how = "any" if value.match is Match.ANY else "all"
    return f"{only}in {how} of {' '.join(f'#{key}' for key in sorted(value.keys))}"


CRAWL = CrawlFilter()
