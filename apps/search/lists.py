"""Lists of the database's rows: searched, counted, ordered and paged there.

A list reads the rows of one page, and of each filter the most frequent values, however long it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

from django.core.paginator import Page, Paginator
from django.db.models import Aggregate, Count, Expression, F, Max, Q, QuerySet

from apps.figures.quantities import count, number_of
from apps.search.filter import Filter
from apps.search.list_filters import ColumnValues, States
from apps.search.panels import CheckBoxes, Panel
from apps.search.query import Clause, Phrase, read_query
from apps.search.search import Chip, Search
from apps.search.values import Values, any_of

ROWS = 25


@dataclass(frozen=True, slots=True)
class ListOrder:
    """One order of a list: its title, the columns it is by, the title of the column of the table
    that it orders, and whether the values in it rise. The column `number` is that of the related
    rows `counted`."""

    title: str
    by: tuple[Any, ...]
    column: str = ""
    rises: bool = False
    counted: str = ""


@dataclass(frozen=True, slots=True)
class FilterValue:
    """One value of a filter: its words, how many rows have it, its address."""

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
    choices: tuple[FilterValue, ...]


class ListSearch(Search):
    """A search of a list; the key "" of `sorts` is the usual order.

    Words are looked for in the columns `texts` (or expressions), whatever their case, and anywhere
    in a word.
    """

    sorts: ClassVar[Mapping[str, ListOrder]]
    texts: ClassVar[Sequence[str | Expression]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.orders = {name: order.title for name, order in cls.sorts.items()}

    def narrow(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """The rows that match."""
        for filter, value in self.active():
            rows = rows.filter(filter.condition(value))
        clauses = read_query(self.words, self.prefixes)
        if not clauses:
            return rows
        texts = {f"text_{i}": _expression(text) for i, text in enumerate(self.texts)}
        conditions = (self._clause(clause, [*texts]) for clause in clauses)
        matches: QuerySet[Any] = rows.alias(**texts).filter(*conditions)
        return matches

    def ordered(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """The rows in the order of the search, the newest of equal ones first."""
        order = self.sorts[self.order]
        if order.counted:
            rows = rows.annotate(number=Count(order.counted, distinct=True))
        return rows.order_by(*order.by, "-pk")

    def phrase_condition(self, phrase: Phrase) -> Q:
        """The rows that a phrase matches besides those whose texts have it."""
        return Q()

    def _clause(self, clause: Clause, columns: Sequence[str]) -> Q:
        ways = any_of(self._phrase(phrase, columns) for phrase in clause.phrases)
        return ~ways if clause.excluded else ways

    def _phrase(self, phrase: Phrase, columns: Sequence[str]) -> Q:
        text, lookup = phrase.text.removesuffix("*"), "icontains"
        if phrase.begins:
            text, lookup = rf"(^|\W){re.escape(text)}", "iregex"
        elif not text.isascii():
            # For SQLite other letters have no case unless Python compares them.
            text, lookup = re.escape(text), "iregex"
        return any_of(Q(**{f"{name}__{lookup}": text}) for name in columns) | (
            self.phrase_condition(phrase)
        )


def _expression(text: str | Expression) -> Any:
    return F(text) if isinstance(text, str) else text


class Listing:
    """The rows visible to a person, with the search of an address.

    `unit` is what a row is; `counted` are totals over all rows, by name, and those in `reported`
    are among the facts in words.
    """

    unit: ClassVar[str]
    counted: ClassVar[Mapping[str, Aggregate]] = {}
    reported: ClassVar[Sequence[str]] = ()

    def __init__(self, rows: QuerySet[Any], search: ListSearch) -> None:
        self.all, self.asked = rows, search

    @cached_property
    def totals(self) -> Mapping[str, Any]:
        """The number of rows, the greatest key, and `counted`, in one query."""
        return self.all.order_by().aggregate(rows=Count("pk"), newest=Max("pk"), **self.counted)

    @property
    def newest(self) -> int:
        """The greatest key of all rows."""
        return self.totals["newest"] or 0

    @cached_property
    def matches(self) -> QuerySet[Any]:
        """The rows that match, in order."""
        return self.asked.ordered(self.asked.narrow(self.all))

    def page(self, number: str | None) -> Page[Any]:
        """The keys of one page of the matches."""
        return Paginator(self.matches.values_list("pk", flat=True), ROWS).get_page(number)

    def since(self, newest: int) -> int:
        """How many matches are newer than a key."""
        return self.matches.order_by().filter(pk__gt=newest).count()

    @property
    def facts(self) -> tuple[str, ...]:
        """The totals in words: rows, and how many are in the states of `reported`."""
        numbers = {name: self.totals[name.replace(" ", "_")] for name in self.reported}
        moving = ", ".join(f"{count(number)} {name}" for name, number in numbers.items() if number)
        return tuple(filter(None, (number_of(self.totals["rows"], self.unit), moving)))

    @cached_property
    def search(self) -> ListSearch:
        """The search, with the names of the values of each filter."""
        names = {
            filter.id: filter.names_of(self.all, self.asked.of(filter))
            | {key: name for key, name, _ in self._values[filter.id]}
            for filter in self._column_filters
        }
        return self.asked.within({**(self.asked.context or {}), **names})

    @property
    def states(self) -> tuple[FilterValue, ...]:
        """The state switch: how many rows match in each state, all other filters applied."""
        state = next(f for f in self.asked.filters if isinstance(f, States))
        chosen = self.asked.of(state)
        counts = state.counts(self._through(state))
        words = {"": "All", **{name: words for name, (words, _) in state.groups.items()}}
        return tuple(
            FilterValue(
                words[name],
                counts[name],
                self._address(self.asked.having(state, (name,) if name else ())),
                chosen == ((name,) if name else ()),
            )
            for name in words
        )

    @property
    def menus(self) -> tuple[Menu, ...]:
        """The filters over columns, without empty ones."""
        panels = ((filter, self._panel(filter)) for filter in self.search.filters)
        return tuple(
            self._menu(filter, panel)
            for filter, panel in panels
            if isinstance(filter, Values) and isinstance(panel, CheckBoxes)
        )

    @cached_property
    def panels(self) -> tuple[Panel, ...]:
        """The controls of the other filters, as fields of the form."""
        panels = (self._panel(filter) for filter in self.search.filters)
        return tuple(p for p in panels if p is not None and not isinstance(p, CheckBoxes))

    @property
    def fields_above(self) -> list[str]:
        """The parameters whose errors are listed above the list: all but those of `panels`."""
        beside = {name for panel in self.panels for name in getattr(panel, "names", ())}
        every = [field.name for filter in self.asked.filters for field in filter.fields]
        return [name for name in ["q", *every, "order"] if name not in beside]

    @property
    def hidden(self) -> tuple[tuple[str, str], ...]:
        """The parameters of the search that the form has no field for."""
        fields = {"q", *(name for panel in self.panels for name in getattr(panel, "names", ()))}
        return tuple(pair for pair in self.asked.pairs() if pair[0] not in fields)

    @property
    def orders(self) -> tuple[FilterValue, ...]:
        """The available orders."""
        return tuple(
            FilterValue(title, None, self._address(replace(self.asked, order=name)), holds)
            for name, title in self.asked.orders.items()
            for holds in [self.asked.order == name]
        )

    @property
    def order(self) -> str:
        """The order in use."""
        return self.asked.orders[self.asked.order]

    def head(self, words: str) -> Head:
        """The head of a column by its words."""
        now, sorts = self.asked.order, self.asked.sorts
        by = [name for name, order in sorts.items() if order.column == words]
        other = next((name for name in by if name != now), None)
        address = "" if other is None else self._address(replace(self.asked, order=other))
        sort = ("ascending" if sorts[now].rises else "descending") if now in by else ""
        return Head(words, address, sort)

    @property
    def chips(self) -> tuple[Chip, ...]:
        """One for each filter in use, the words first."""
        words = self.asked.words
        without = replace(self.asked, words="").query()
        return (*([Chip(f"“{words}”", without)] if words else []), *self.search.chips())

    @property
    def nothing(self) -> str:
        """The filters that leave the list empty, in words: `tag thesis and state failed`."""
        words = [chip.words for chip in self.chips]
        return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))

    @property
    def address(self) -> str:
        """The address of its first page."""
        return self._address(self.asked)

    @property
    def parameters(self) -> str:
        """The parameters of the search before that of a page."""
        return f"{query}&" if (query := self.asked.query()) else ""

    @cached_property
    def _column_filters(self) -> list[ColumnValues[Any]]:
        return [filter for filter in self.asked.filters if isinstance(filter, ColumnValues)]

    @cached_property
    def _values(self) -> dict[str, Sequence[tuple[Any, str, int]]]:
        """The most frequent values of each filter, all others applied."""
        return {f.id: f.counts(self._through(f)) for f in self._column_filters}

    def _through(self, filter: Filter[Any]) -> QuerySet[Any]:
        """The rows that all other filters let pass."""
        return self.asked.having(filter, filter.nothing).narrow(self.all)

    def _panel(self, filter: Filter[Any]) -> Panel | None:
        if isinstance(filter, States):
            return None
        counts = {key: number for key, _, number in self._values.get(filter.id, ())}
        return filter.panel(self.asked.of(filter), counts)

    def _menu(self, filter: Values[Any], panel: CheckBoxes) -> Menu:
        chosen = ", ".join(option.words for option in panel.options if option.checked)
        choices = tuple(
            FilterValue(option.words, option.count, self._address(search), option.checked)
            for option in panel.options
            for search in [self.asked.having(filter, (filter.parse(option.value),))]
        )
        return Menu(panel.name, chosen, choices)

    def _address(self, search: Search) -> str:
        return f"?{search.query()}"
