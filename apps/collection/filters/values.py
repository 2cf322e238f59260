"""Filters by values; a page must have one of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from apps.collection.filters.filter import Condition, Counted, Filter, Parameters, among
from apps.collection.filters.panels import CheckBoxes, Option
from apps.collection.scope import Scope

Key = TypeVar("Key")


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

    def words(self, key: Key, scope: Scope) -> str:
        """A value in words."""
        return str(key)

    def chip(self, key: Key, scope: Scope) -> str:
        """A value in words that are clear without the filter's title."""
        return self.words(key, scope)

    def read(self, query: Parameters) -> tuple[Key, ...]:
        keys = (self.parse(text.replace("\0", "")) for text in query.getlist(self.name))
        return tuple(dict.fromkeys(key for key in keys if key is not None))[: self.most]

    def pairs(self, value: tuple[Key, ...]) -> Iterator[tuple[str, str]]:
        for key in value:
            yield self.name, str(key)

    def understood(self, field: str, text: str, scope: Scope) -> bool:
        return self.parse(text) is not None

    def chips(self, value: tuple[Key, ...], scope: Scope) -> Iterator[tuple[str, tuple[Key, ...]]]:
        for key in value:
            yield self.chip(key, scope), tuple(other for other in value if other != key)

    def panel(
        self, value: tuple[Key, ...], counts: Mapping[Any, int], scope: Scope
    ) -> CheckBoxes | None:
        options = tuple(
            self.option(key, value, counts, scope) for key in self.offered(value, counts, scope)
        )
        return CheckBoxes(self.title, self.name, options) if options else None

    def offered(
        self, value: tuple[Key, ...], counts: Mapping[Key, int], scope: Scope
    ) -> Iterable[Key]:
        """The values to choose from, in the order of the screen."""
        return sorted({*counts, *value})  # type: ignore[type-var]

    def option(
        self, key: Key, value: tuple[Key, ...], counts: Mapping[Key, int], scope: Scope
    ) -> Option:
        return Option(str(key), self.words(key, scope), counts.get(key, 0), key in value)


class CountedValues(Values[Key], Counted[tuple[Key, ...]]):
    """Values with counts; pages must count for one of those selected."""

    def holds(self, value: tuple[Key, ...], row: tuple[Any, ...], scope: Scope) -> bool:
        return any(key in value for key in self.values_of(row, scope))


class MostFrequent(Values[Key]):
    """Values of a column that has too many to list; those with the most pages are offered."""

    column: ClassVar[str]
    offers: ClassVar[int]

    def condition(self, value: tuple[Key, ...], scope: Scope) -> Condition:
        return among(f"e.{self.column}", value)

    def offered(
        self, value: tuple[Key, ...], counts: Mapping[Key, int], scope: Scope
    ) -> Iterable[Key]:
        return counts
