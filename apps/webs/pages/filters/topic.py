"""The filter by topics that name a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import Q

from apps.schemas.numbers import whole_number
from apps.search.filter import Field
from apps.search.sql import among, raw
from apps.search.values import Values, any_of
from apps.webs.pages.filters.page_filter import PageFilter, Select

UNUSED = 0
"""The key of a topic that stands for pages that no topic names."""


class UsedInTopic(Values[int], PageFilter[tuple[int, ...]]):
    """Filters by the topics that name the page; the context is their names by key."""

    id = "topic"
    title = "Used in topics"
    sentence = "The topics that name the page among their seeds, examples or targets, or none."
    unknown = "is not the number of a topic"
    fields = (
        Field(
            "topic",
            "Numbers of topics that name the page; 0 asks for pages that none names.",
            list[int],
        ),
    )
    example = "topic=0&topic=7"

    def parse(self, text: str) -> int | None:
        return whole_number(text)

    def words(self, key: int) -> str:
        return "in no topic" if key == UNUSED else (self.context or {}).get(key, f"topic {key}")

    def condition(self, value: tuple[int, ...]) -> Q:
        named = among("topic", [key for key in value if key != UNUSED])
        ways = []
        if named.params:
            ways.append(raw(f"number IN (SELECT page FROM used WHERE {named.sql})", named.params))
        if UNUSED in value:
            ways.append(raw("number NOT IN (SELECT page FROM used)"))
        return any_of(ways)

    def counts(self, select: Select) -> Mapping[int, int]:
        counts = dict(
            select(
                "SELECT topic, count(*) AS n FROM matched JOIN used USING (page) GROUP BY topic"
                " ORDER BY n DESC, topic"
            )
        )
        if not counts:
            return {}
        [(unused,)] = select(
            "SELECT (SELECT count(*) FROM matched)"
            " - (SELECT count(*) FROM matched WHERE page IN (SELECT page FROM used))"
        )
        return {UNUSED: unused, **counts}

    def offered(self, value: tuple[int, ...], counts: Mapping[int, int]) -> Iterable[int]:
        return dict.fromkeys((*counts, *value))


TOPIC = UsedInTopic()
