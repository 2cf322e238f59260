"""The list of crawls: the rows shown, and the options and counts of its filter bar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from apps.engine.codes import State
from apps.engine.intelligence.strategies import strategy_title
from apps.figures.quantities import count, number_of
from apps.screens.crawls.filters import ORDERS, STATES, Filters
from apps.screens.crawls.index import Listed

TOLD = (State.RUNNING, State.QUEUED, State.STOPPING, State.PAUSED)


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a filter: its words, how many crawls match, its address."""

    words: str
    crawls: int | None
    address: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Menu:
    """A filter with its title, its value (empty: any) and its choices."""

    name: str
    title: str
    chosen: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter in use: its words, and the address without it."""

    words: str
    address: str


@dataclass(frozen=True, slots=True)
class _Facet:
    """A filter over one column: a crawl's value, and the words of each value."""

    name: str
    title: str
    values: Callable[[Listed], Sequence[tuple[str, str]]]


FACETS = (
    _Facet("topic", "topic", lambda crawl: [(str(crawl.topic_id), crawl.topic)]),
    _Facet("strategy", "strategy", lambda crawl: [(crawl.strategy, crawl.title)]),
    _Facet("web", "web", lambda crawl: [(str(crawl.web_id), crawl.web)]),
    _Facet("tag", "tag", lambda crawl: [(tag, tag) for tag in crawl.tags]),
)


class Listing:
    """All crawls visible to a person, with the filters of an address."""

    def __init__(self, crawls: Sequence[Listed], filters: Filters) -> None:
        self.all = crawls
        self.filters = filters
        self.shown = self._ordered(self._through(filters))

    def _through(self, filters: Filters) -> list[Listed]:
        return [crawl for crawl in self.all if filters.admits(crawl)]

    def _ordered(self, crawls: list[Listed]) -> list[Listed]:
        newest_first = sorted(crawls, key=lambda crawl: -crawl.pk)
        return sorted(newest_first, key=ORDERS[self.filters.order].key)

    @property
    def facts(self) -> tuple[str, ...]:
        """The totals in words: crawls, active ones, pages."""
        states = Counter(crawl.state for crawl in self.all)
        moving = ", ".join(f"{count(states[s])} {s}" for s in TOLD if states[s])
        pages = sum(crawl.pages for crawl in self.all)
        said = (number_of(len(self.all), "crawl"), moving, f"{number_of(pages, 'page')} fetched")
        return tuple(filter(None, said))

    @property
    def states(self) -> tuple[Choice, ...]:
        """The state switch: how many crawls match in each state, all other filters applied."""
        left = Counter(crawl.state for crawl in self._through(self.filters.but("state")))
        return tuple(
            Choice(words, sum(left[state] for state in states),
                   self.filters.address(state=name), self.filters.state == name)
            for name, (words, states) in STATES.items()
        )  # fmt: skip

    @property
    def menus(self) -> tuple[Menu, ...]:
        """The filters over topics, strategies, webs and tags, without empty ones."""
        found = (self._menu(facet) for facet in FACETS)
        return tuple(menu for menu in found if menu.choices)

    def _menu(self, facet: _Facet) -> Menu:
        others = self._through(self.filters.but(facet.name))
        names = dict(pair for crawl in self.all for pair in facet.values(crawl))
        left = Counter(value for crawl in others for value, _ in facet.values(crawl))
        now = getattr(self.filters, facet.name)
        choices = tuple(
            Choice(words, left[value], self.filters.address(**{facet.name: value}), value == now)
            for value, words in sorted(names.items(), key=lambda pair: pair[1].casefold())
        )
        return Menu(facet.name, facet.title, names.get(now, now), choices)

    @property
    def orders(self) -> tuple[Choice, ...]:
        """The available orders."""
        return tuple(
            Choice(order.title, None, self.filters.address(order=name), self.filters.order == name)
            for name, order in ORDERS.items()
        )

    @property
    def order(self) -> str:
        """The order in use."""
        return ORDERS[self.filters.order].title

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
        return f"{name} {self._words(name, value)}"

    def _words(self, name: str, value: str) -> str:
        """A value of a filter in words; an unknown value is shown as it is."""
        if name == "state":
            return STATES[value][0].lower()
        if name == "strategy":
            return strategy_title(value)
        facet = next(facet for facet in FACETS if facet.name == name)
        names = dict(pair for crawl in self.all for pair in facet.values(crawl))
        return names.get(value, value)
