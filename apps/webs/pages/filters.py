"""A search of a web's pages, as it is in the query string: words, labels, hosts and more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Protocol
from urllib.parse import urlencode

LONGEST = 400
MOST_VALUES = 50
WORD_STEPS = (0, 1, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)
"""Where the bars of the histogram of words begin; the last has no end."""
MOST_WORDS = 10**9
INLINKS: dict[str, tuple[int, int | None]] = {
    "none": (0, 0),
    "1-9": (1, 9),
    "10-99": (10, 99),
    "100-up": (100, None),
}
"""The least and the most pages of the web that link to a page by the name in the address."""
UNUSED = 0
"""The key of a topic that stands for pages that no topic names."""
UNLABELLED = ""
"""The label that stands for pages without labels."""
BELOW = "/"
"""Labels are paths, `Science/Biology`; one that ends so stands for all labels that begin so."""


class Order(StrEnum):
    """The order of the pages found; `best` match needs words, `inlinks` that links are counted;
    `file` is the web's own order."""

    BEST = "best"
    FILE = "file"
    TITLE = "title"
    LONGEST = "longest"
    INLINKS = "inlinks"


class Parameters(Protocol):
    """A query string: Django's QueryDict."""

    def get(self, key: str, default: str = "") -> Any: ...
    def getlist(self, key: str) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class PageFilters:
    """A search. An empty filter matches every page; several values of one filter are alternatives.

    A label that ends in BELOW stands for itself without it and for all labels below. A page has
    `words_from` to `words_to` words, None being no limit. `inlinks` are names of INLINKS; `topics`
    are keys of topics that name the page among their seeds, examples or targets.
    """

    words: str = ""
    labels: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    words_from: int | None = None
    words_to: int | None = None
    inlinks: tuple[str, ...] = ()
    topics: tuple[int, ...] = ()
    order: Order | None = None

    @property
    def ordered(self) -> Order:
        """The order in effect: best match only if there are words, else the web's own."""
        order = self.order or (Order.BEST if self.words else Order.FILE)
        return Order.FILE if order is Order.BEST and not self.words else order

    @property
    def any(self) -> bool:
        """Whether any filter is set."""
        return self != PageFilters(order=self.order)

    def query(self, **changes: Any) -> str:
        """The query string of this search with some fields changed."""
        return urlencode(self.pairs(**changes))

    def pairs(self, **changes: Any) -> list[tuple[str, str]]:
        """The same as pairs of name and value, in a fixed order."""
        search = replace(self, **changes)
        named = {
            "q": [search.words] if search.words else [],
            "label": search.labels, "host": search.hosts,
            "words_from": [] if search.words_from is None else [search.words_from],
            "words_to": [] if search.words_to is None else [search.words_to],
            "inlinks": search.inlinks, "topic": search.topics,
            "order": [search.order] if search.order else [],
        }  # fmt: skip
        return [(name, str(value)) for name, values in named.items() for value in values]


def read_filters(query: Parameters) -> PageFilters:
    """The search of a query string; values that cannot be understood are ignored."""
    return PageFilters(
        words=" ".join(query.get("q", "").replace("\0", " ").split())[:LONGEST],
        labels=_values(query.getlist("label")),
        hosts=_values(name.strip().lower() for name in query.getlist("host") if name.strip()),
        words_from=_number(query.get("words_from", "")),
        words_to=_number(query.get("words_to", "")),
        inlinks=tuple(name for name in INLINKS if name in query.getlist("inlinks")),
        topics=tuple(map(int, _values(key for key in query.getlist("topic") if is_number(key)))),
        order=next((o for o in Order if o == query.get("order", "")), None),
    )


def _values(listed: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value.replace("\0", "") for value in listed))[:MOST_VALUES]


def is_number(text: str) -> bool:
    """Whether the text is a whole number of up to nine digits."""
    text = text.strip()
    return text.isascii() and text.isdigit() and len(text) < 10


def _number(text: str) -> int | None:
    return int(text) if is_number(text) else None


def branches(label: str) -> list[str]:
    """The branches that a label lies on, from the root: of `a/b/c` they are `a/` and `a/b/`."""
    parts = label.split(BELOW)
    return [BELOW.join(parts[: i + 1]) + BELOW for i in range(len(parts) - 1)]
