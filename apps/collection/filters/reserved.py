"""The filter by what pages and files of their sites reserve."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q

from apps.search.filter import Field
from apps.search.values import CountedValues, any_of

YES, NO = "yes", "no"
WORDS = {YES: "a use is reserved", NO: "no sign of a reservation"}


class Reserved(CountedValues[str]):
    """Filters by whether the page, its headers or a file of its site reserve a use."""

    id = "reserved"
    title = "Reserved"
    sentence = (
        "Pages of which a use is reserved, by themselves, their headers or a file of their site:"
        " noai, TDMRep, Content-Signal, Content-Usage, RSL, rules of robots.txt for AI agents,"
        " ai.txt."
    )
    unknown = "is neither yes nor no"
    fields = (Field("reserved", "yes or no."),)
    example = "reserved=yes"
    columns = ("reserved",)

    def parse(self, text: str) -> str | None:
        return text if text in WORDS else None

    def words(self, key: str) -> str:
        return WORDS[key]

    def condition(self, value: tuple[str, ...]) -> Q:
        return any_of(Q(reserved=key == YES) for key in value)

    def values_of(self, row: tuple[Any, ...]) -> Iterable[str]:
        (is_reserved,) = row
        return (YES if is_reserved else NO,)

    def offered(self, value: tuple[str, ...], counts: Mapping[str, int]) -> Iterable[str]:
        return WORDS if value or counts.get(YES) else ()


RESERVED = Reserved()
