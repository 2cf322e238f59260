"""Filters of lists of the database's rows: by state, and by the values of a column."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from django.db.models import Count, Q, QuerySet

from apps.schemas.numbers import whole_number
from apps.search.filter import Field, Parameters
from apps.search.values import Key, MostFrequent, Values, any_of

MOST_OFFERED = 100


class States(Values[str]):
    """Filters by groups of states, each with its words and its condition; those that are `single`
    have no position in the switch."""

    id = "state"
    title = "State"
    groups: ClassVar[Mapping[str, tuple[str, Q]]]
    single: ClassVar[Mapping[str, Q]] = {}

    @property
    def unknown(self) -> str:  # type: ignore[override]
        return f"is not a state of this list; give one of {', '.join(self.groups)}"

    def parse(self, text: str) -> str | None:
        return text if text in {**self.groups, **self.single} else None

    def words(self, key: str) -> str:
        return self.groups[key][0] if key in self.groups else key

    def chip(self, key: str) -> str:
        return f"state {self.words(key).lower()}"

    def condition(self, value: tuple[str, ...]) -> Q:
        return any_of(
            self.groups[name][1] if name in self.groups else self.single[name] for name in value
        )

    def counts(self, rows: QuerySet[Any]) -> dict[str, int]:
        """Rows by group, and under "" all of them, in one query."""
        groups = {f"in_{name}": Count("pk", filter=q) for name, (_, q) in self.groups.items()}
        numbers = rows.order_by().aggregate(in_=Count("pk"), **groups)
        return {name.removeprefix("in_"): number for name, number in numbers.items()}


class ColumnValues(MostFrequent[Key]):
    """Filters by the values of a column, of which the most frequent are offered.

    `names` is the column of their names, if that is another. The context has, by the filter's id,
    the names by value.
    """

    names: ClassVar[str] = ""
    offers = MOST_OFFERED

    def words(self, key: Key) -> str:
        names: Mapping[Key, str] = (self.context or {}).get(self.id) or {}
        return names.get(key, str(key))

    def chip(self, key: Key) -> str:
        return f"{self.id} {self.words(key)}"

    def read(self, query: Parameters) -> tuple[Key, ...]:
        return tuple(key for key in super().read(query) if key != "")

    def counts(self, rows: QuerySet[Any]) -> Sequence[tuple[Key, str, int]]:
        """The most frequent values, each with its name and the number of rows."""
        columns = (self.column, self.names or self.column)
        counted = rows.order_by().values_list(*dict.fromkeys(columns)).annotate(rows=Count("pk"))
        ordered = counted.order_by("-rows", self.column)[: self.offers]
        return [(row[0], row[-2], row[-1]) for row in ordered]

    def names_of(self, rows: QuerySet[Any], value: tuple[Key, ...]) -> dict[Key, str]:
        """The names of these values, as far as rows have them."""
        if not value or not self.names:
            return {}
        chosen = rows.order_by().filter(self.condition(value))
        return dict(chosen.values_list(self.column, self.names).distinct())

    def offered(self, value: tuple[Key, ...], counts: Mapping[Key, int]) -> Iterable[Key]:
        keys = dict.fromkeys((*counts, *value))
        return sorted(keys, key=lambda key: self.words(key).casefold())


class NumberedValues(ColumnValues[int]):
    """The values are the numbers of other rows, `names` their names."""

    def parse(self, text: str) -> int | None:
        return whole_number(text)


class WordValues(ColumnValues[str]):
    """The values are words."""

    def parse(self, text: str) -> str | None:
        return text.strip() or None


class CrawledWeb(NumberedValues):
    """Filters by the web that is crawled."""

    id = "web"
    title = "Web"
    sentence = "The web that is crawled."
    unknown = "is not the number of a web"
    fields = (Field("web", "Numbers of webs.", list[int]),)
    example = "web=2"
    column = "web_id"
    names = "web__name"
