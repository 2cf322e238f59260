"""The filter by an analyst's label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from apps.collection.filters.filter import Condition, Field, Parameters
from apps.collection.filters.panels import CheckBox
from apps.collection.filters.values import CountedValues
from apps.collection.scope import Scope

LABELS = {"y": "y, on the topic", "n": "n, off the topic", "none": "no label"}
CONDITIONS = {"y": "e.label", "n": "NOT e.label", "none": "e.label IS NULL"}
ANY = ("y", "n")


class Label(CountedValues[str]):
    """By an analyst's label of the page, or none."""

    id = "label"
    title = "Label"
    sentence = "How an analyst has labelled the page, or that it has no label."
    unknown = "is not a label; give y, n or none"
    fields = (Field("label", "y, n or none."),)
    columns = ("label",)

    def parse(self, text: str) -> str | None:
        return text if text in LABELS else None

    def words(self, key: str, scope: Scope) -> str:
        return LABELS[key]

    def chip(self, key: str, scope: Scope) -> str:
        return f"label {key}" if key in ANY else LABELS[key]

    def read(self, query: Parameters) -> tuple[str, ...]:
        """`labelled=1` is the check box of downloads."""
        return ANY if query.get("labelled", "") == "1" else super().read(query)

    def condition(self, value: tuple[str, ...], scope: Scope) -> Condition:
        return Condition(" OR ".join(CONDITIONS[name] for name in value))

    def values_of(self, row: tuple[Any, ...], scope: Scope) -> Iterable[str]:
        (label,) = row
        return ("none" if label is None else "y" if label else "n",)

    def offered(
        self, value: tuple[str, ...], counts: Mapping[str, int], scope: Scope
    ) -> Iterable[str]:
        return LABELS if value or {*ANY} & {*counts} else ()

    def in_download(self, value: tuple[str, ...], counts: Mapping[str, int]) -> CheckBox | None:
        if not any(counts.get(name) for name in ANY):
            return None
        return CheckBox("labelled", "Labelled pages only", {*value} == {*ANY})

    def kept(self, value: tuple[str, ...]) -> tuple[str, ...]:
        return () if {*value} == {*ANY} else value


LABEL = Label()
