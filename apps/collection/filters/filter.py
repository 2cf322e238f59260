"""The base classes of filters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from apps.collection.filters.panels import CheckBox, Panel, Slider
from apps.collection.scope import Scope
from apps.schemas.misread import Misread

Value = TypeVar("Value")


class Parameters(Protocol):
    """A query string: Django's QueryDict."""

    def get(self, key: str, default: str = "") -> Any: ...
    def getlist(self, key: str) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter of the address; `type` is its type in the API, a list if several values are
    joined, and `unknown` the message about a text that cannot be understood, where it differs from
    that of the filter."""

    name: str
    description: str = ""
    type: Any = list[str]
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class Condition:
    """A part of a WHERE over `collection_entry e`; an empty one is always true."""

    sql: str
    params: tuple[Any, ...] = ()


def among(column: str, values: Sequence[Any]) -> Condition:
    """The column has one of the values; false if there are none."""
    if not values:
        return Condition("1 = 0")
    return Condition(f"{column} IN ({', '.join(['%s'] * len(values))})", tuple(values))


def all_of(conditions: Iterable[Condition]) -> Condition:
    """The conjunction of the conditions."""
    held = [condition for condition in conditions if condition.sql]
    return Condition(
        " AND ".join(f"({condition.sql})" for condition in held),
        tuple(value for condition in held for value in condition.params),
    )


class Filter(ABC, Generic[Value]):
    """One filter of pages.

    Its value is what a search asks for; `nothing` lets every page pass. A value is read from the
    parameters `fields` and can be turned back into them. `sentence` describes it in the help;
    `unknown` is the message about a parameter that cannot be understood: "“x” is not a day".
    """

    id: ClassVar[str]
    title: ClassVar[str]
    sentence: ClassVar[str]
    unknown: ClassVar[str]
    fields: ClassVar[tuple[Field, ...]]
    nothing: Value

    @abstractmethod
    def read(self, query: Parameters) -> Value:
        """The value in a query string; parameters that cannot be understood are ignored."""

    @abstractmethod
    def pairs(self, value: Value) -> Iterator[tuple[str, str]]:
        """The parameters from which `read` makes the same value."""

    @abstractmethod
    def understood(self, field: str, text: str, scope: Scope) -> bool:
        """Whether a text is valid for the parameter `field` in this collection."""

    def contradictions(self, value: Value) -> Iterator[Misread]:
        """Messages about parameters that exclude each other, though each alone is valid."""
        return iter(())

    @abstractmethod
    def condition(self, value: Value, scope: Scope) -> Condition:
        """The condition for a page to pass."""

    @abstractmethod
    def chips(self, value: Value, scope: Scope) -> Iterator[tuple[str, Value]]:
        """The words of each part of a value, and the value without that part."""

    def panel(self, value: Value, counts: Mapping[Any, int], scope: Scope) -> Panel | None:
        """The controls beside the list, or None if there is nothing to choose."""
        return None

    def in_download(self, value: Value, counts: Mapping[Any, int]) -> CheckBox | Slider | None:
        """The control in the menu of downloads, or None."""
        return None

    def kept(self, value: Value) -> Value:
        """The value without the part that the menu of downloads sets."""
        return value


class Counted(Filter[Value]):
    """A filter by columns with few values, with a count beside each of its values.

    `columns` are the columns of Entry it reads. The database counts the pages of each combination
    of all filters' columns, so none of them may have many values.
    """

    columns: ClassVar[tuple[str, ...]]

    @abstractmethod
    def holds(self, value: Value, row: tuple[Any, ...], scope: Scope) -> bool:
        """Whether pages with these columns pass: the same as `condition` in SQL."""

    @abstractmethod
    def values_of(self, row: tuple[Any, ...], scope: Scope) -> Iterable[Any]:
        """The values that pages with these columns count for."""
