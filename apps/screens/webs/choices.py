"""The filters of a web's pages as the screen offers and shows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from apps.figures.quantities import count, number_of
from apps.screens.webs.label_tree import LabelTree, Option, label_tree
from apps.webs.pages.filters import (
    BELOW,
    MOST_WORDS,
    UNLABELLED,
    UNUSED,
    WORD_STEPS,
    Order,
    PageFilters,
)
from apps.webs.pages.searching import PageFacets

INLINK_WORDS = {"none": "none", "1-9": "1–9", "10-99": "10–99", "100-up": "100 and more"}
ORDERS = {
    Order.BEST: "Best match",
    Order.FILE: "As in the file",
    Order.TITLE: "Title",
    Order.LONGEST: "Longest",
    Order.INLINKS: "Most in-links",
}


@dataclass(frozen=True, slots=True)
class Group:
    """The options of one filter under a heading."""

    template: ClassVar[str] = "webs/facet_group.html"
    title: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a histogram: its height as a share of the highest, whether it is chosen, and in
    words."""

    height: float
    chosen: bool
    words: str


@dataclass(frozen=True, slots=True)
class WordBars:
    """Pages by their words, with the two ends of the range in use ("": none) and the places on
    `steps` nearest to them."""

    template: ClassVar[str] = "webs/word_bars.html"
    bars: tuple[Bar, ...]
    steps: tuple[int, ...]
    ends: tuple[int | str, int | str]
    places: tuple[int, int]

    @property
    def range(self) -> str:
        """`100–6,400`, `from 100`, `to 6,400`; empty without a limit."""
        least, most = (count(end) if isinstance(end, int) else end for end in self.ends)
        if least and most:
            return f"{least}–{most}"
        return f"from {least}" if least else f"to {most}" if most else ""


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter in use, and the query string without it."""

    words: str
    query: str


def label_words(label: str) -> str:
    """A label, the words for all below one, or for none."""
    if label.endswith(BELOW):
        return f"{label.removesuffix(BELOW)} and all below"
    return "no label" if label == UNLABELLED else label


def topic_words(topic: int, topics: Mapping[int, str]) -> str:
    """The name of a topic, or the words for being in none."""
    return "in no topic" if topic == UNUSED else topics.get(topic, f"topic {topic}")


def groups(
    filters: PageFilters, facets: PageFacets, topics: Mapping[int, str]
) -> list[Group | LabelTree | WordBars]:
    """The filters that have anything to choose; selected options come first. `topics` are names by
    key."""
    hosts = {name: facets.hosts.get(name, 0) for name in (*filters.hosts, *facets.hosts)}
    found = [
        Group("Host", tuple(
            Option("host", host, host, n, host in filters.hosts) for host, n in hosts.items()
        ) if len(hosts) > 1 or filters.hosts else ()),
        Group("Used in topics", tuple(
            Option("topic", str(key), topic_words(key, topics), facets.topics.get(key, 0),
                   key in filters.topics)
            for key in dict.fromkeys((*facets.topics, *filters.topics))
        )),
    ]  # fmt: skip
    inlinks = _ranges("inlinks", INLINK_WORDS, facets.inlinks, filters.inlinks)
    before = [label_tree(filters, facets), *(group for group in found if group.options)]
    after = [Group("In-links", inlinks)] if inlinks else []
    return [*(each for each in before if each is not None), _word_bars(filters, facets), *after]


def _word_bars(filters: PageFilters, facets: PageFacets) -> WordBars:
    least = filters.words_from or 0
    most = MOST_WORDS if filters.words_to is None else filters.words_to
    ends = [*(step - 1 for step in WORD_STEPS[1:]), MOST_WORDS]
    highest = max(facets.lengths) or 1
    bars = tuple(
        Bar(pages / highest, end >= least and step <= most, _bar_words(step, end, pages))
        for step, end, pages in zip(WORD_STEPS, ends, facets.lengths, strict=True)
    )
    shown = ("" if filters.words_from is None else filters.words_from,
             "" if filters.words_to is None else filters.words_to)  # fmt: skip
    chosen = [place for place, bar in enumerate(bars) if bar.chosen] or [0]
    return WordBars(bars, WORD_STEPS, shown, (chosen[0], chosen[-1] + 1))


def _bar_words(least: int, most: int, pages: int) -> str:
    if most == MOST_WORDS:
        return f"{count(least)} words and more: {number_of(pages, 'page')}"
    words = f"{count(least)}–{count(most)} words" if least else "no words"
    return f"{words}: {number_of(pages, 'page')}"


def _ranges(
    name: str, words: Mapping[str, str], counts: Mapping[str, int], chosen: Sequence[str]
) -> tuple[Option, ...]:
    return tuple(
        Option(name, key, said, counts.get(key, 0), key in chosen)
        for key, said in words.items()
        if key in counts or key in chosen
    )


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
        ("inlinks", filters.inlinks, lambda name: f"in-links: {INLINK_WORDS[name]}"),
        ("topics", filters.topics, lambda key: topic_words(key, topics)),
    )
    found = [
        Chip(words(value), replace(filters, **{
            field: tuple(kept for kept in values if kept != value)}).query())
        for field, values, words in named
        for value in values
    ]  # fmt: skip
    for field, sign, end in (
        ("words_from", "≥", filters.words_from), ("words_to", "≤", filters.words_to)
    ):
        if end is not None:
            found.append(Chip(f"words {sign} {count(end)}", filters.query(**{field: None})))
    return found
