"""The filter by an analyst's label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q

from apps.search.filter import Field, Parameters
from apps.search.panels import CheckBox
from apps.search.values import CountedValues, any_of

LABELS = {"y": "y, on the topic", "n": "n, off the topic", "none": "no label"}
STORED = {"y": True, "n": False, "none": None}
ANY = ("y", "n")


class LabelFilter(CountedValues[str]):
    """Filters by an analyst's label of the page, or none."""

    id = "label"
    title = "Label"
    sentence = "How an analyst has labelled the page, or that it has no label."
    unknown = "is not a label; give y, n or none"
    fields = (Field("label", "y, n or none."),)
    example = "label=y&label=none"
    columns = ("label",)

    def parse(self, text: str) -> str | None:
        return text if text in LABELS else None

    def words(self, key: str) -> str:
        return LABELS[key]

    def chip(self, key: str) -> str:
        return f"label {key}" if key in ANY else LABELS[key]

    def read(self, query: Parameters) -> tuple[str, ...]:
        """`labelled=1` is the check box of downloads."""
        return ANY if query.get("labelled", "") == "1" else super().read(query)

    def condition(self, value: tuple[str, ...]) -> Q:
        return any_of(Q(label=STORED[name]) for name in value)

    def values_of(self, row: tuple[Any, ...]) -> Iterable[str]:
        (label,) = row
        return ("none" if label is None else "y" if label else "n",)

    def offered(self, value: tuple[str, ...], counts: Mapping[str, int]) -> Iterable[str]:
        return LABELS if value or {*ANY} & {*counts} else ()

    def in_download(self, value: tuple[str, ...], counts: Mapping[str, int]) -> CheckBox | None:
        if not any(counts.get(name) for name in ANY):
            return None
        return CheckBox("labelled", "only pages with a label", {*value} == {*ANY})

    def beside_download(self, value: tuple[str, ...]) -> tuple[str, ...]:
        return () if {*value} == {*ANY} else value


LABEL = LabelFilter()
