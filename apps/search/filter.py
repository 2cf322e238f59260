"""The base classes of filters: of a collection, of a web's pages, of any list."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from django.db.models import Q

from apps.schemas.misread import Misread
from apps.search.panels import CheckBox, Panel, Slider

Value = TypeVar("Value")


class Parameters(Protocol):
    """A query string: Django's QueryDict."""

    def get(self, key: str, default: str, /) -> Any: ...
    def getlist(self, key: str, /) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter of the address; `type` is its type in the API, a list if several values are
    joined; `unknown` is the message about a misread text, if it differs from the filter's."""

    name: str
    description: str = ""
    type: Any = list[str]
    unknown: str = ""


class Filter(ABC, Generic[Value]):
    """One filter of a list.

    Its value is what a search asks for; `nothing` lets every row pass. A value is read from the
    parameters `fields` and can be turned back into them. `sentence` describes it in the help;
    `example` is a query string with all its parameters. `unknown` is the message about a parameter
    that cannot be understood: "“x” is not a day".
    `context` is the list that it filters, such as one topic's collection, for the filters that
    depend on it.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    sentence: ClassVar[str]
    unknown: ClassVar[str]
    fields: ClassVar[tuple[Field, ...]]
    example: ClassVar[str]
    nothing: Value
    context: Any = None

    def within(self, context: Any) -> Self:
        """The filter for one list."""
        bound = copy(self)
        bound.context = context
        return bound

    @abstractmethod
    def read(self, query: Parameters) -> Value:
        """The value in a query string; parameters that cannot be understood are ignored."""

    @abstractmethod
    def pairs(self, value: Value) -> Iterator[tuple[str, str]]:
        """The parameters that `read` turns back into this value."""

    @abstractmethod
    def understands(self, field: str, text: str) -> bool:
        """Whether a text is valid for the parameter `field`."""

    def contradictions(self, value: Value) -> Iterator[Misread]:
        """Messages about parameters that exclude each other, though each alone is valid."""
        return iter(())

    @abstractmethod
    def condition(self, value: Value) -> Q:
        """The condition for a row to pass."""

    @abstractmethod
    def chips(self, value: Value) -> Iterator[tuple[str, Value]]:
        """The words of each part of a value, and the value without that part."""

    def panel(self, value: Value, counts: Mapping[Any, int]) -> Panel | None:
        """The controls beside the list, or None if there is nothing to choose."""
        return None

    def in_download(self, value: Value, counts: Mapping[Any, int]) -> CheckBox | Slider | None:
        """The control in the menu of downloads, or None."""
        return None

    def beside_download(self, value: Value) -> Value:
        """The value without the part that the menu of downloads sets."""
        return value


class Counted(Filter[Value]):
    """A filter by columns with few values, with a count beside each of its values.

    `columns` are the columns it reads. The database counts the rows of each combination of all
    filters' columns, so none of them may have many values.
    """

    columns: ClassVar[tuple[str, ...]]

    @abstractmethod
    def holds(self, value: Value, row: tuple[Any, ...]) -> bool:
        """Whether rows with these columns pass: the same as `condition` in the database."""

    @abstractmethod
    def values_of(self, row: tuple[Any, ...]) -> Iterable[Any]:
        """The values that rows with these columns count for."""
