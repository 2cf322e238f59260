"""The filter by crawls that have fetched a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from apps.collection.filters.filter import Condition, Counted, Field, Parameters, among
from apps.collection.filters.panels import CheckBoxes, Choice, Option, Switch
from apps.collection.scope import Scope
from apps.engine.intelligence.strategies import strategy_title
from apps.schemas.numbers import whole_number

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


def crawl_words(key: int, scope: Scope) -> str:
    """`#7 Adaptive utility`; only the number if the crawl is not in the scope."""
    strategies = {crawl.pk: crawl.strategy for crawl in scope.crawls}
    return f"#{key} {strategy_title(strategies[key])}" if key in strategies else f"#{key}"


class CrawlFilter(Counted[Crawls]):
    """By the crawls that have fetched the page: any or all of those chosen, or only these."""

    id = "crawl"
    title = "In crawls"
    sentence = (
        "Pages that any of the chosen crawls have fetched, that all of them have, or that only they"
        " have and no other crawl."
    )
    unknown = "is not the number of a crawl of this collection"
    fields = (
        Field("crawl", "Numbers of crawls.", list[int]),
        Field("crawl_match", "any of these crawls, all of them, or only these (any, all, only).",
              str | None, unknown=f"is not one of {', '.join(Match)}"),
    )  # fmt: skip
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

    def understood(self, field: str, text: str, scope: Scope) -> bool:
        return text in [*Match] if field == "crawl_match" else whole_number(text) in scope.crawl_ids

    def condition(self, value: Crawls, scope: Scope) -> Condition:
        return among("e.crawl_set", [k for k, by in scope.sets.items() if value.passes(by)])

    def holds(self, value: Crawls, row: tuple[Any, ...], scope: Scope) -> bool:
        return value.passes(scope.sets.get(row[0], ()))

    def values_of(self, row: tuple[Any, ...], scope: Scope) -> Iterable[int]:
        """Every crawl of the scope that has fetched the page, though only one of them shows it."""
        return scope.sets.get(row[0], ())

    def chips(self, value: Crawls, scope: Scope) -> Iterator[tuple[str, Crawls]]:
        """One chip: without one of the crawls, `only` would choose other pages."""
        if value.keys:
            yield _chip(value, scope), self.nothing

    def panel(self, value: Crawls, counts: Mapping[int, int], scope: Scope) -> CheckBoxes | None:
        if scope.only is not None:
            return None
        options = tuple(
            Option(str(pk), crawl_words(pk, scope), counts.get(pk, 0), pk in value.keys)
            for pk in sorted(scope.crawl_ids) if pk in value.keys or counts.get(pk)
        )
        switch = Switch("crawl_match", "Which of the crawls", tuple(
            Choice(match, words, match is value.match) for match, words in SWITCH.items()
        ))
        return CheckBoxes(
            self.title, "crawl", options, switch=switch if scope.several else None
        ) if options else None


def _chip(value: Crawls, scope: Scope) -> str:
    """`in #3 Full page`, `in any of #3 #4`, `only in #3 Full page`, `only in all of #3 #4`."""
    only = "only " if value.match is Match.ONLY else ""
    if len(value.keys) == 1:
        return f"{only}in {crawl_words(value.keys[0], scope)}"
    how = "any" if value.match is Match.ANY else "all"
    return f"{only}in {how} of {' '.join(f'#{key}' for key in sorted(value.keys))}"


CRAWL = CrawlFilter()
