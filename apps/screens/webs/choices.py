"""What the pages of a web can be filtered by, and what is filtered, as a person reads it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from apps.webs.pages.filters import UNLABELLED, Order, PageFilters
from apps.webs.pages.searching import PageFacets

SHOWN_LABELS = 12
LENGTH_WORDS = {
    "none": "none",
    "under-100": "1–99",
    "100-499": "100–499",
    "500-1999": "500–1,999",
    "2000-up": "2,000 and more",
}
ORDERS = {
    Order.BEST: "Best match",
    Order.FILE: "As in the file",
    Order.TITLE: "Title",
    Order.LONGEST: "Longest",
}


@dataclass(frozen=True, slots=True)
class Option:
    """A check box with how many pages of the search it stands for."""

    name: str
    value: str
    words: str
    count: int
    checked: bool


@dataclass(frozen=True, slots=True)
class Group:
    """The options of one filter under a heading; `further` are shown when asked for."""

    title: str
    options: tuple[Option, ...]
    further: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter that is on, and the query string without it."""

    words: str
    query: str


def label_words(label: str) -> str:
    """A label, or the words for having none."""
    return "no label" if label == UNLABELLED else label


def groups(filters: PageFilters, facets: PageFacets) -> list[Group]:
    """The filters that have anything to choose, chosen options first to be shown."""
    labels = tuple(_labels(filters, facets))
    hosts = {name: facets.hosts.get(name, 0) for name in (*filters.hosts, *facets.hosts)}
    found = [
        Group("Label", labels[:SHOWN_LABELS], labels[SHOWN_LABELS:]),
        Group("Host", tuple(
            Option("host", host, host, n, host in filters.hosts) for host, n in hosts.items()
        ) if len(hosts) > 1 or filters.hosts else ()),
        Group("Words", tuple(
            Option("length", name, words, facets.lengths.get(name, 0), name in filters.lengths)
            for name, words in LENGTH_WORDS.items()
            if name in facets.lengths or name in filters.lengths
        )),
    ]  # fmt: skip
    return [group for group in found if group.options]


def _labels(filters: PageFilters, facets: PageFacets) -> Iterable[Option]:
    for label in dict.fromkeys((*filters.labels, *facets.labels)):
        yield Option("label", label, label_words(label), facets.labels.get(label, 0),
                     label in filters.labels)


def orders(filters: PageFilters) -> list[tuple[str, str, bool]]:
    """(words, query string, whether it holds); best match only where there are words."""
    return [
        (words, filters.query(order=order), order is filters.ordered)
        for order, words in ORDERS.items()
        if order is not Order.BEST or filters.words
    ]


def chips(filters: PageFilters) -> list[Chip]:
    """Every filter that is on, the words apart."""
    named = (
        ("labels", filters.labels, lambda label: f"label: {label_words(label)}"),
        ("hosts", filters.hosts, str),
        ("lengths", filters.lengths, lambda name: f"words: {LENGTH_WORDS[name]}"),
    )
    return [
        Chip(words(value), replace(filters, **{
            field: tuple(kept for kept in values if kept != value)}).query())
        for field, values, words in named
        for value in values
    ]  # fmt: skip
