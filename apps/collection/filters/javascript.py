"""The filter by pages whose text is made by scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q

from apps.search.filter import Field, Parameters
from apps.search.panels import CheckBox
from apps.search.values import CountedValues, any_of

NEEDED, RUN, TEXT = "needed", "run", "not_needed"
WORDS = {
    NEEDED: "needs JavaScript",
    RUN: "scripts were run",
    TEXT: "text without JavaScript",
}
CONDITIONS = {
    NEEDED: Q(needs_javascript=True),
    RUN: Q(needs_javascript=False, rendered=True),
    TEXT: Q(needs_javascript=False, rendered=False),
}
WITH_TEXT = (RUN, TEXT)


class JavaScript(CountedValues[str]):
    """Filters by whether the page has next to no text until scripts are run, and whether they
    were."""

    id = "javascript"
    title = "JavaScript"
    sentence = (
        "Pages that need JavaScript, which was not run: their text is missing, and nobody has"
        " judged them; and pages whose scripts were run, to which they owe their text."
    )
    unknown = "is none of needed, run and not_needed"
    fields = (Field("javascript", "needed, run or not_needed."),)
    example = "javascript=needed"
    columns = ("needs_javascript", "rendered")

    def parse(self, text: str) -> str | None:
        return text if text in WORDS else None

    def words(self, key: str) -> str:
        return WORDS[key]

    def read(self, query: Parameters) -> tuple[str, ...]:
        """`without_script_only=1` is the check box of downloads."""
        asked = query.get("without_script_only", "") == "1"
        return WITH_TEXT if asked else super().read(query)

    def condition(self, value: tuple[str, ...]) -> Q:
        return any_of(CONDITIONS[key] for key in value)

    def values_of(self, row: tuple[Any, ...]) -> Iterable[str]:
        is_needed, was_run = row
        return (NEEDED if is_needed else RUN if was_run else TEXT,)

    def offered(self, value: tuple[str, ...], counts: Mapping[str, int]) -> Iterable[str]:
        """The kinds that occur, once there are pages of more than one."""
        present = {key for key, pages in counts.items() if pages} | {*value}
        return [key for key in WORDS if key in present] if present - {TEXT} else ()

    def in_download(self, value: tuple[str, ...], counts: Mapping[str, int]) -> CheckBox | None:
        if value == (NEEDED,) or not (value or counts.get(NEEDED)):
            return None
        return CheckBox("without_script_only", "without pages that need JavaScript", True)

    def beside_download(self, value: tuple[str, ...]) -> tuple[str, ...]:
        return () if {*value} == {*WITH_TEXT} else value


JAVASCRIPT = JavaScript()
