"""What a filter is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from apps.collection.filters.panels import CheckBox, Panel, Slider
from apps.collection.scope import Scope

Value = TypeVar("Value")


class Parameters(Protocol):
    """A query string: Django's QueryDict."""

    def get(self, key: str, default: str = "") -> Any: ...
    def getlist(self, key: str) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter of the address; `type` is what the API takes, a list where several are joined."""

    name: str
    description: str = ""
    type: Any = list[str]


@dataclass(frozen=True, slots=True)
class Misread:
    """A sentence about one field, named as in the address."""

    field: str
    message: str


@dataclass(frozen=True, slots=True)
class Condition:
    """A piece of a WHERE over `collection_entry e`; an empty one holds for every page."""

    sql: str
    params: tuple[Any, ...] = ()


def among(column: str, values: Sequence[Any]) -> Condition:
    """The column has one of the values; never, where there are none."""
    if not values:
        return Condition("1 = 0")
    return Condition(f"{column} IN ({', '.join(['%s'] * len(values))})", tuple(values))


def all_of(conditions: Iterable[Condition]) -> Condition:
    """Every condition holds."""
    held = [condition for condition in conditions if condition.sql]
    return Condition(
        " AND ".join(f"({condition.sql})" for condition in held),
        tuple(value for condition in held for value in condition.params),
    )


class Filter(ABC, Generic[Value]):
    """One thing that pages are filtered by.

    Its value is what a search asks of it; `nothing` filters nothing. A value comes from the
    parameters `fields` and goes back to them. `sentence` says for the help what it chooses by,
    `unknown` what is said of a parameter that cannot be understood: "“x” is not a day".
    """

    id: ClassVar[str]
    title: ClassVar[str]
    sentence: ClassVar[str]
    unknown: ClassVar[str]
    fields: ClassVar[tuple[Field, ...]]
    nothing: Value

    @abstractmethod
    def read(self, query: Parameters) -> Value:
        """The value in a query string; what cannot be understood is left out, never an error."""

    @abstractmethod
    def pairs(self, value: Value) -> Iterator[tuple[str, str]]:
        """The parameters that `read` makes the same value of."""

    @abstractmethod
    def understood(self, text: str, scope: Scope) -> bool:
        """Whether a parameter means anything in this collection."""

    def contradictions(self, value: Value) -> Iterator[Misread]:
        """What no page can be, though each parameter alone is understood."""
        return iter(())

    @abstractmethod
    def condition(self, value: Value, scope: Scope) -> Condition:
        """What a page must be to pass."""

    @abstractmethod
    def chips(self, value: Value, scope: Scope) -> Iterator[tuple[str, Value]]:
        """The words of each part of a value, and the value without that part."""

    def panel(self, value: Value, counts: Mapping[Any, int], scope: Scope) -> Panel | None:
        """What is offered beside the list; None where there is nothing to choose."""
        return None

    def in_download(self, value: Value, counts: Mapping[Any, int]) -> CheckBox | Slider | None:
        """What the menu of downloads asks; None where it asks nothing."""
        return None

    def kept(self, value: Value) -> Value:
        """The value without what the menu of downloads asks itself."""
        return value


class Counted(Filter[Value]):
    """A filter by few-valued columns, with counts beside its values.

    `columns` are those of Entry that decide. The database counts the pages of each combination
    of all filters' columns, so no column of many values may be among them.
    """

    columns: ClassVar[tuple[str, ...]]

    @abstractmethod
    def holds(self, value: Value, row: tuple[Any, ...], scope: Scope) -> bool:
        """Whether pages with these columns pass: the same as `condition` in SQL."""

    @abstractmethod
    def values_of(self, row: tuple[Any, ...], scope: Scope) -> Iterable[Any]:
        """What pages with these columns are counted under."""
