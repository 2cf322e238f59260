"""Filters by values; a row must have one of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from operator import or_
from typing import Any, ClassVar, Generic, TypeVar

from django.db.models import Q

from apps.search.filter import Counted, Filter, Parameters, Value
from apps.search.panels import CheckBoxes, Option

Key = TypeVar("Key")


def any_of(conditions: Iterable[Q]) -> Q:
    """The disjunction of the conditions."""
    return reduce(or_, conditions)


class Values(Filter[tuple[Key, ...]], Generic[Key]):
    """A filter with one parameter that may be repeated; the values are alternatives."""

    nothing = ()
    most: ClassVar[int] = 100

    @property
    def name(self) -> str:
        """The name of its parameter."""
        return self.fields[0].name

    @abstractmethod
    def parse(self, text: str) -> Key | None:
        """The value of a text, or None."""

    def words(self, key: Key) -> str:
        """A value in words."""
        return str(key)

    def chip(self, key: Key) -> str:
        """A value in words that are clear without the filter's title."""
        return self.words(key)

    def read(self, query: Parameters) -> tuple[Key, ...]:
        keys = (self.parse(text.replace("\0", "")) for text in query.getlist(self.name))
        return tuple(dict.fromkeys(key for key in keys if key is not None))[: self.most]

    def pairs(self, value: tuple[Key, ...]) -> Iterator[tuple[str, str]]:
        for key in value:
            yield self.name, str(key)

    def understands(self, field: str, text: str) -> bool:
        return self.parse(text) is not None

    def chips(self, value: tuple[Key, ...]) -> Iterator[tuple[str, tuple[Key, ...]]]:
        for key in value:
            yield self.chip(key), tuple(other for other in value if other != key)

    def panel(self, value: tuple[Key, ...], counts: Mapping[Any, int]) -> CheckBoxes | None:
        options = tuple(self.option(key, value, counts) for key in self.offered(value, counts))
        return CheckBoxes(self.title, self.name, options) if options else None

    def offered(self, value: tuple[Key, ...], counts: Mapping[Key, int]) -> Iterable[Key]:
        """The values to choose from, in the order of the screen."""
        return sorted({*counts, *value})  # type: ignore[type-var]

    def option(self, key: Key, value: tuple[Key, ...], counts: Mapping[Key, int]) -> Option:
        return Option(str(key), self.words(key), counts.get(key, 0), key in value)


class CountedValues(Values[Key], Counted[tuple[Key, ...]]):
    """Values with counts; rows must count for one of those selected."""

    def holds(self, value: tuple[Key, ...], row: tuple[Any, ...]) -> bool:
        return any(key in value for key in self.values_of(row))


class Grouped(Filter[Value]):
    """A filter with the rows counted by the values of one `column`, at most `offers` of them."""

    column: ClassVar[str]
    offers: ClassVar[int]

    def first(self, value: Value) -> tuple[Any, ...]:
        """The values of the column that are counted in any case."""
        return ()


class MostFrequent(Values[Key], Grouped[tuple[Key, ...]]):
    """Values of a column that has too many to list; those with the most rows are offered."""

    def first(self, value: tuple[Key, ...]) -> tuple[Key, ...]:
        return value

    def condition(self, value: tuple[Key, ...]) -> Q:
        return Q(**{f"{self.column}__in": value})

    def offered(self, value: tuple[Key, ...], counts: Mapping[Key, int]) -> Iterable[Key]:
        return counts
