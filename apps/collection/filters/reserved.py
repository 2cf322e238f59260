"""The filter by what pages reserve."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q

from apps.search.filter import Field
from apps.search.values import CountedValues, any_of

YES, NO = "yes", "no"
WORDS = {YES: "a use is reserved", NO: "no sign of a reservation"}


class Reserved(CountedValues[str]):
    """By whether the page or its headers reserve a use."""

    id = "reserved"
    title = "Reserved"
    sentence = (
        "Pages that reserve a use in themselves or in their headers: noai, TDMRep, Content-Signal,"
        " Content-Usage, RSL. Robots.txt is obeyed before, and not looked through for these."
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
