"""The bar above a list: search, state switch, menus, order and chips, with the counts of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from apps.figures.quantities import count, number_of
from apps.schemas.misread import Misread, misread_values
from apps.screens.addresses import query_string


class Row(Protocol):
    """What the bar must know of a row."""

    @property
    def pk(self) -> int: ...
    @property
    def state(self) -> str: ...


Listed = TypeVar("Listed", bound=Row)


@dataclass(frozen=True, slots=True)
class Order(Generic[Listed]):
    """One order of the list: its words, the ascending sort key, the title of the column that it
    orders, and whether the values in it rise."""

    title: str
    key: Callable[[Listed], Any]
    column: str = ""
    rises: bool = False


@dataclass(frozen=True, slots=True)
class Facet(Generic[Listed]):
    """A filter over one column: a row's values, each with its words, and the words of a value that
    no row has. `name` is the parameter and the title."""

    name: str
    values: Callable[[Listed], Sequence[tuple[str, str]]]
    words: Callable[[str], str] = str

    def has(self, row: Listed, value: str) -> bool:
        """Whether the row has the value; the empty one stands for any."""
        return not value or any(value == other for other, _ in self.values(row))


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a filter: its words, how many rows match, its address."""

    words: str
    count: int | None
    address: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column: its words, the address of the list ordered by it (empty: none, or it is
    so), and how it is ordered now, as `aria-sort` has it."""

    words: str
    address: str
    sort: str


@dataclass(frozen=True, slots=True)
class Menu:
    """A filter with the words of its value (empty: any) and its choices."""

    name: str
    chosen: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter in use: its words, and the address without it."""

    words: str
    address: str


@dataclass(frozen=True, slots=True)
class ListFilters(Generic[Listed]):
    """The filters in use and the order; an empty field filters nothing.

    Each field has the parameter of the same name in the address; a subclass adds one for each of
    its `facets`. The key "" of `states` is any state, that of `orders` the usual order.
    """

    states: ClassVar[Mapping[str, tuple[str, frozenset[str]]]]
    orders: ClassVar[Mapping[str, Order[Any]]]
    facets: ClassVar[Sequence[Facet[Any]]] = ()

    q: str = ""
    state: str = ""
    order: str = ""

    @classmethod
    def read(cls, asked: Mapping[str, str]) -> Self:
        """The filters of an address; an unknown state or order is ignored."""
        values = {field.name: asked.get(field.name, "").strip() for field in fields(cls)}
        values["state"] = values["state"] if values["state"] in cls.states else ""
        values["order"] = values["order"] if values["order"] in cls.orders else ""
        return cls(**values)

    @classmethod
    def misread(cls, asked: Mapping[str, str]) -> tuple[Misread, ...]:
        """The state and the order of an address that mean nothing."""
        return tuple(
            each
            for name, known in (("state", cls.states), ("order", cls.orders))
            for each in misread_values(
                name, [asked.get(name, "").strip()], known.__contains__,
                f"is not {'an' if name == 'order' else 'a'} {name} of this list; give one of"
                f" {', '.join(filter(None, known))}",
            )
        )

    @property
    def in_use(self) -> dict[str, str]:
        """The filters in use, by parameter, without the order."""
        found = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: value for name, value in found if value and name != "order"}

    def address(self, **changes: str) -> str:
        """The query string with some parameters changed, from the first page."""
        return "?" + query_string(replace(self, **changes))

    def but(self, name: str) -> Self:
        """The same without one of them."""
        return replace(self, **{name: ""})

    def admits(self, row: Listed) -> bool:
        """Whether the row passes the filters."""
        return (
            row.state in self.states[self.state][1]
            and all(facet.has(row, getattr(self, facet.name)) for facet in self.facets)
            and all(self.says(row, word) for word in self.q.casefold().split())
        )

    def says(self, row: Listed, word: str) -> bool:
        """Whether the row's text has the word, which is in lower case."""
        raise NotImplementedError


class Listing(Generic[Listed]):
    """All rows visible to a person, with the filters of an address.

    `unit` is what a row is; `told` are the states whose counts are among the totals.
    """

    unit: ClassVar[str]
    told: ClassVar[Sequence[str]]

    def __init__(self, rows: Sequence[Listed], filters: ListFilters[Listed]) -> None:
        self.all = rows
        self.filters = filters
        newest_first = sorted(self._through(filters), key=lambda row: -row.pk)
        self.shown = sorted(newest_first, key=filters.orders[filters.order].key)

    def _through(self, filters: ListFilters[Listed]) -> list[Listed]:
        return [row for row in self.all if filters.admits(row)]

    @property
    def facts(self) -> tuple[str, ...]:
        """The totals in words: rows, and how many are in a state of `told`."""
        states = Counter(row.state for row in self.all)
        moving = ", ".join(f"{count(states[s])} {s}" for s in self.told if states[s])
        return tuple(filter(None, (number_of(len(self.all), self.unit), moving)))

    @property
    def states(self) -> tuple[Choice, ...]:
        """The state switch: how many rows match in each state, all other filters applied."""
        left = Counter(row.state for row in self._through(self.filters.but("state")))
        return tuple(
            Choice(words, sum(left[state] for state in states),
                   self.filters.address(state=name), self.filters.state == name)
            for name, (words, states) in self.filters.states.items()
        )  # fmt: skip

    @property
    def menus(self) -> tuple[Menu, ...]:
        """The filters over columns, without empty ones."""
        found = (self._menu(facet) for facet in self.filters.facets)
        return tuple(menu for menu in found if menu.choices)

    def _menu(self, facet: Facet[Listed]) -> Menu:
        others = self._through(self.filters.but(facet.name))
        names = self._names(facet)
        left = Counter(value for row in others for value, _ in facet.values(row))
        now = getattr(self.filters, facet.name)
        choices = tuple(
            Choice(words, left[value], self.filters.address(**{facet.name: value}), value == now)
            for value, words in sorted(names.items(), key=lambda pair: pair[1].casefold())
        )
        return Menu(facet.name, names.get(now, now), choices)

    def _names(self, facet: Facet[Listed]) -> dict[str, str]:
        """The words of each value that a row has."""
        return dict(pair for row in self.all for pair in facet.values(row))

    @property
    def orders(self) -> tuple[Choice, ...]:
        """The available orders."""
        return tuple(
            Choice(order.title, None, self.filters.address(order=name), self.filters.order == name)
            for name, order in self.filters.orders.items()
        )

    @property
    def order(self) -> str:
        """The order in use."""
        return self.filters.orders[self.filters.order].title

    def head(self, words: str) -> Head:
        """The head of a column by its words."""
        now, orders = self.filters.order, self.filters.orders
        by = [name for name, order in orders.items() if order.column == words]
        other = next((name for name in by if name != now), None)
        address = "" if other is None else self.filters.address(order=other)
        sort = ("ascending" if orders[now].rises else "descending") if now in by else ""
        return Head(words, address, sort)

    @property
    def chips(self) -> tuple[Chip, ...]:
        """One for each filter in use."""
        return tuple(
            Chip(self._said(name, value), self.filters.address(**{name: ""}))
            for name, value in self.filters.in_use.items()
        )

    @property
    def nothing(self) -> str:
        """The filters that leave the list empty, in words: `tag thesis and state failed`."""
        said = [self._said(name, value) for name, value in self.filters.in_use.items()]
        return " and ".join(filter(None, (", ".join(said[:-1]), *said[-1:])))

    def _said(self, name: str, value: str) -> str:
        if name == "q":
            return f"“{value}”"
        if name == "state":
            return f"state {self.filters.states[value][0].lower()}"
        facet = next(facet for facet in self.filters.facets if facet.name == name)
        return f"{name} {self._names(facet).get(value) or facet.words(value)}"
