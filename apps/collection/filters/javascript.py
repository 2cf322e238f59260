"""The filter by pages whose text is made by scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q

from apps.search.filter import Field, Parameters
from apps.search.panels import CheckBox
from apps.search.values import CountedValues, any_of

NEEDED, TEXT = "needed", "not_needed"
WORDS = {NEEDED: "needs JavaScript", TEXT: "text without JavaScript"}


class JavaScript(CountedValues[str]):
    """By whether the page has next to no text until scripts are run."""

    id = "javascript"
    title = "JavaScript"
    sentence = (
        "Pages that need JavaScript, which is not run: their text is missing, and nobody has"
        " judged them."
    )
    unknown = "is neither needed nor not_needed"
    fields = (Field("javascript", "needed or not_needed."),)
    example = "javascript=needed"
    columns = ("needs_javascript",)

    def parse(self, text: str) -> str | None:
        return text if text in WORDS else None

    def words(self, key: str) -> str:
        return WORDS[key]

    def read(self, query: Parameters) -> tuple[str, ...]:
        """`without_script_only=1` is the check box of downloads."""
        asked = query.get("without_script_only", "") == "1"
        return (TEXT,) if asked else super().read(query)

    def condition(self, value: tuple[str, ...]) -> Q:
        return any_of(Q(needs_javascript=key == NEEDED) for key in value)

    def values_of(self, row: tuple[Any, ...]) -> Iterable[str]:
        (is_needed,) = row
        return (NEEDED if is_needed else TEXT,)

    def offered(self, value: tuple[str, ...], counts: Mapping[str, int]) -> Iterable[str]:
        return WORDS if value or counts.get(NEEDED) else ()

    def in_download(self, value: tuple[str, ...], counts: Mapping[str, int]) -> CheckBox | None:
        if value == (NEEDED,) or not (value or counts.get(NEEDED)):
            return None
        return CheckBox("without_script_only", "without pages that need JavaScript", True)

    def beside_download(self, value: tuple[str, ...]) -> tuple[str, ...]:
        return () if value == (TEXT,) else value


JAVASCRIPT = JavaScript()
