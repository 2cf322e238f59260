"""The filter by what stands out of a host's pages: repeated, of one template, numbered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Count, Q, QuerySet

from apps.hosts.models import MAKE_UP_FLAGS
from apps.search.filter import Field
from apps.search.list_filters import WordValues
from apps.search.values import any_of

COLUMN_OF = {"near-duplicates": "repeats", "template": "is_template", "numbered": "is_numbered"}


class HostLooks(WordValues):
    """Filters by how far its pages look made by a machine or a template."""

    id = "make_up"
    title = "Make-up"
    sentence = (
        "Hosts whose pages look made by a machine or a template: near-duplicates, template or"
        " numbered."
    )
    unknown = "is no make-up; give near-duplicates, template or numbered"
    fields = (Field("make_up", "near-duplicates, template or numbered."),)
    example = "make_up=template"

    def parse(self, text: str) -> str | None:
        return text if text in COLUMN_OF else None

    def words(self, key: str) -> str:
        return MAKE_UP_FLAGS[COLUMN_OF[key]]

    def chip(self, key: str) -> str:
        return self.words(key)

    def condition(self, value: tuple[str, ...]) -> Q:
        return any_of(Q(**{f"make_up__{COLUMN_OF[key]}": True}) for key in value)

    def counts(self, rows: QuerySet[Any]) -> Sequence[tuple[str, str, int]]:
        sums = {
            column: Count("pk", filter=Q(**{f"make_up__{column}": True}))
            for column in MAKE_UP_FLAGS
        }
        numbers = rows.order_by().aggregate(**sums)
        flagged = ((key, self.words(key), numbers[COLUMN_OF[key]]) for key in COLUMN_OF)
        return [each for each in flagged if each[2]]

    def offered(self, value: tuple[str, ...], counts: Mapping[str, int]) -> Iterable[str]:
        return [key for key in COLUMN_OF if key in counts or key in value]


MAKE_UP = HostLooks()
