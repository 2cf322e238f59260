"""The filter by nearness to words or to other pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from django.db.models import Q

from apps.collection.filters.of_crawls import OfCrawls
from apps.collection.nearness import (
    MOST_NEAREST,
    MOST_PAGES,
    USUAL_NEAREST,
    Nearness,
    basis_words,
    nearness_problem,
)
from apps.engine.parsing.words import words
from apps.figures.quantities import number_of
from apps.schemas.misread import NO_WORD, Misread
from apps.schemas.numbers import whole_number
from apps.search.filter import Field, Filter, Parameters

LONGEST = 2_000
_PAGE = re.compile(r"([1-9]\d{0,17})-([1-9]\d{0,8})", re.ASCII)


@dataclass(frozen=True, slots=True)
class NearPanel:
    """A field for words; `pages` are the parameters of the chosen pages, `most` is empty for the
    usual number, `note` says by what pages are compared."""

    kind: ClassVar[str] = "near"
    title: str
    words: str
    pages: tuple[str, ...]
    most: str
    note: str
    names: tuple[str, ...] = ("near", "like", "nearest")


class Near(OfCrawls, Filter[Nearness]):
    """The pages nearest to words or to other pages, of those that pass all other filters.

    `conditions` ranks them, since which pages are nearest depends on the other filters.
    """

    id = "near"
    title = "Near"
    sentence = (
        "The pages whose texts are nearest to words, to a sentence, or to chosen pages (More like"
        " these), nearest first, with their similarity: 1 is the same direction, 0 nothing in"
        " common. The other filters and the search come first: it is the nearest of what they let"
        " pass."
    )
    unknown = "is not a page; write it as 12-345, the numbers of its crawl and in it"
    fields = (
        Field("near", "Words or a sentence.", str | None, unknown=NO_WORD),
        Field("like", "Pages, as in 12-345: the number of the crawl and the page’s in it."),
        Field(
            "nearest",
            f"How many of the nearest; {USUAL_NEAREST} unless given, {MOST_NEAREST} at most.",
            int | None,
            unknown=f"is not a number from 1 to {MOST_NEAREST}",
        ),
    )
    example = "near=sour+dough&like=7-3&nearest=50"
    nothing = Nearness()

    def read(self, query: Parameters) -> Nearness:
        typed = " ".join(query.get("near", "").replace("\0", " ").split())[:LONGEST]
        pages = dict.fromkeys(filter(None, map(_page, query.getlist("like"))))
        asked = Nearness(typed if words(typed) else "", tuple(pages)[:MOST_PAGES])
        most = _number(query.get("nearest", "")) or USUAL_NEAREST
        return replace(asked, most=most) if asked != self.nothing else self.nothing

    def pairs(self, value: Nearness) -> Iterator[tuple[str, str]]:
        if value.words:
            yield "near", value.words
        for crawl, seq in value.pages:
            yield "like", f"{crawl}-{seq}"
        if value.most != USUAL_NEAREST:
            yield "nearest", str(value.most)

    def understands(self, field: str, text: str) -> bool:
        if field == "near":
            return bool(words(text))
        return (_page(text) if field == "like" else _number(text)) is not None

    def contradictions(self, value: Nearness) -> Iterator[Misread]:
        """Why nothing can be compared with what is asked."""
        if value != self.nothing and (problem := nearness_problem(self.context, value)):
            yield Misread(*problem)

    def condition(self, value: Nearness) -> Q:
        return Q()

    def chips(self, value: Nearness) -> Iterator[tuple[str, Nearness]]:
        if value.words:
            yield f"near “{value.words}”", self._remaining(replace(value, words=""))
        if len(value.pages) == 1:
            ((crawl, seq),) = value.pages
            yield f"like page {seq} of crawl #{crawl}", self._remaining(replace(value, pages=()))
        elif value.pages:
            pages = number_of(len(value.pages), "page")
            yield f"like {pages}", self._remaining(replace(value, pages=()))

    def _remaining(self, value: Nearness) -> Nearness:
        return value if value.words or value.pages else self.nothing

    def panel(self, value: Nearness, counts: Mapping[Any, int]) -> NearPanel:
        pages = tuple(f"{crawl}-{seq}" for crawl, seq in value.pages)
        most = str(value.most) if value.most != USUAL_NEAREST else ""
        return NearPanel(self.title, value.words, pages, most, basis_words(self.context))


def _page(text: str) -> tuple[int, int] | None:
    match = _PAGE.fullmatch(text.strip())
    return (int(match[1]), int(match[2])) if match else None


def _number(text: str) -> int | None:
    number = whole_number(text.replace("\0", ""))
    return number if number is not None and 1 <= number <= MOST_NEAREST else None


NEAR = Near()
