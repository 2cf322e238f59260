"""The filters of a web's pages as the screen offers and shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from apps.webs.pages.filters import UNLABELLED, UNUSED, Order, PageFilters
from apps.webs.pages.searching import PageFacets

SHOWN_LABELS = 12
LENGTH_WORDS = {
    "none": "none",
    "under-100": "1–99",
    "100-499": "100–499",
    "500-1999": "500–1,999",
    "2000-up": "2,000 and more",
}
INLINK_WORDS = {"none": "none", "1-9": "1–9", "10-99": "10–99", "100-up": "100 and more"}
ORDERS = {
    Order.BEST: "Best match",
    Order.FILE: "As in the file",
    Order.TITLE: "Title",
    Order.LONGEST: "Longest",
    Order.INLINKS: "Most in-links",
}


@dataclass(frozen=True, slots=True)
class Option:
    """A check box with the number of pages it stands for."""

    name: str
    value: str
    words: str
    count: int
    checked: bool


@dataclass(frozen=True, slots=True)
class Group:
    """The options of one filter under a heading; `further` ones are shown on request."""

    title: str
    options: tuple[Option, ...]
    further: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter in use, and the query string without it."""

    words: str
    query: str


def label_words(label: str) -> str:
    """A label, or the words for no label."""
    return "no label" if label == UNLABELLED else label


def topic_words(topic: int, topics: Mapping[int, str]) -> str:
    """The name of a topic, or the words for being in none."""
    return "in no topic" if topic == UNUSED else topics.get(topic, f"topic {topic}")


def groups(filters: PageFilters, facets: PageFacets, topics: Mapping[int, str]) -> list[Group]:
    """The filters that have anything to choose; selected options come first. `topics` are names by
    key."""
    labels = tuple(_labels(filters, facets))
    hosts = {name: facets.hosts.get(name, 0) for name in (*filters.hosts, *facets.hosts)}
    found = [
        Group("Label", labels[:SHOWN_LABELS], labels[SHOWN_LABELS:]),
        Group("Host", tuple(
            Option("host", host, host, n, host in filters.hosts) for host, n in hosts.items()
        ) if len(hosts) > 1 or filters.hosts else ()),
        Group("Used in topics", tuple(
            Option("topic", str(key), topic_words(key, topics), facets.topics.get(key, 0),
                   key in filters.topics)
            for key in dict.fromkeys((*facets.topics, *filters.topics))
        )),
        Group("Words", _ranges("length", LENGTH_WORDS, facets.lengths, filters.lengths)),
        Group("In-links", _ranges("inlinks", INLINK_WORDS, facets.inlinks, filters.inlinks)),
    ]  # fmt: skip
    return [group for group in found if group.options]


def _ranges(
    name: str, words: Mapping[str, str], counts: Mapping[str, int], chosen: Sequence[str]
) -> tuple[Option, ...]:
    return tuple(
        Option(name, key, said, counts.get(key, 0), key in chosen)
        for key, said in words.items()
        if key in counts or key in chosen
    )


def _labels(filters: PageFilters, facets: PageFacets) -> Iterable[Option]:
    for label in dict.fromkeys((*filters.labels, *facets.labels)):
        yield Option("label", label, label_words(label), facets.labels.get(label, 0),
                     label in filters.labels)


def orders(filters: PageFilters, has_links: bool) -> list[tuple[str, str, bool]]:
    """(words, query string, whether it is in use); best match only if there are words, most
    in-links only if links are counted."""
    offered = {Order.BEST: bool(filters.words), Order.INLINKS: has_links}
    return [
        (words, filters.query(order=order), order is filters.ordered)
        for order, words in ORDERS.items()
        if offered.get(order, True)
    ]


def chips(filters: PageFilters, topics: Mapping[int, str]) -> list[Chip]:
    """Every filter in use, without the words."""
    named: tuple[tuple[str, Sequence[Any], Callable[[Any], str]], ...] = (
        ("labels", filters.labels, lambda label: f"label: {label_words(label)}"),
        ("hosts", filters.hosts, str),
        ("lengths", filters.lengths, lambda name: f"words: {LENGTH_WORDS[name]}"),
        ("inlinks", filters.inlinks, lambda name: f"in-links: {INLINK_WORDS[name]}"),
        ("topics", filters.topics, lambda key: topic_words(key, topics)),
    )
    return [
        Chip(words(value), replace(filters, **{
            field: tuple(kept for kept in values if kept != value)}).query())
        for field, values, words in named
        for value in values
    ]  # fmt: skip
