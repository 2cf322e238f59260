"""The filter by the judges' verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.db.models import Q

from apps.search.filter import Field, Parameters
from apps.search.panels import CheckBox, Option
from apps.search.values import CountedValues, any_of

RELEVANT, NOT, UNJUDGED = "relevant", "not", "none"
"""Verdicts besides those by votes in favour (`3of3`)."""
WORDS = {RELEVANT: "relevant, any votes", NOT: "not relevant", UNJUDGED: "not judged"}


class VerdictFilter(CountedValues[str]):
    """Filters by the votes of the committee of judges, or by relevance whatever the votes."""

    id = "verdict"
    title = "Verdict"
    sentence = "How many judges call the page relevant. “Unsure” pages are the best ones to label."
    unknown = "is not a verdict; give relevant, not, none, or votes as in 3of3"
    fields = (Field("verdict", "relevant, not, none, or votes as in 3of3."),)
    example = "verdict=3of3&verdict=relevant"
    columns = ("verdict",)

    def parse(self, text: str) -> str | None:
        return text if text in WORDS or _is_votes(text) else None

    def words(self, key: str) -> str:
        return WORDS.get(key) or "relevant, " + key.replace("of", " of ")

    def chip(self, key: str) -> str:
        return RELEVANT if key == RELEVANT else self.words(key)

    def read(self, query: Parameters) -> tuple[str, ...]:
        """`relevant=1` is the check box of downloads."""
        named = super().read(query)
        asked = query.get("relevant", "") == "1" and RELEVANT not in named
        return (RELEVANT, *named) if asked else named

    def condition(self, value: tuple[str, ...]) -> Q:
        return any_of(
            Q(verdict__gt=0) if name == RELEVANT else Q(verdict=_code(name)) for name in value
        )

    def values_of(self, row: tuple[Any, ...]) -> Iterable[str]:
        (code,) = row
        name = {0: NOT, -1: UNJUDGED}.get(code, f"{code % 10}of{code // 10}")
        return (RELEVANT, name) if code > 0 else (name,)

    def offered(self, value: tuple[str, ...], counts: Mapping[str, int]) -> Iterator[str]:
        if RELEVANT in value:
            yield RELEVANT
        votes = {*counts, *value} - {RELEVANT}
        yield from sorted(votes, key=lambda name: (-_code(name), name))

    def option(self, key: str, value: tuple[str, ...], counts: Mapping[str, int]) -> Option:
        option = super().option(key, value, counts)
        if key == RELEVANT:
            return option
        code = _code(key)
        judges = max(_code(name) // 10 for name in {NOT, *counts, *value} - {RELEVANT})
        dots = judges if code == 0 else code // 10
        return replace(option, dots=tuple(i < code % 10 for i in range(dots)))

    def in_download(self, value: tuple[str, ...], counts: Mapping[str, int]) -> CheckBox:
        words = "relevant only, by the judges’ verdict"
        return CheckBox("relevant", words, RELEVANT in value)

    def beside_download(self, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name in value if name != RELEVANT)


def _code(name: str) -> int:
    """`3of3` → 33, the code in `Entry.verdict`."""
    if name in (NOT, UNJUDGED):
        return 0 if name == NOT else -1
    votes, _, of = name.partition("of")
    return 10 * int(of) + int(votes)


def _is_votes(text: str) -> bool:
    votes, of, judges = text.partition("of")
    return bool(of) and _is_digit(votes) and _is_digit(judges)


def _is_digit(text: str) -> bool:
    return len(text) == 1 and text in "123456789"


VERDICT = VerdictFilter()
