"""The list of crawls: the rows shown, and the filters, orders and totals of its bar."""

from __future__ import annotations

import re
from dataclasses import dataclass

from apps.engine.codes import State
from apps.engine.intelligence.strategies import strategy_title
from apps.figures.quantities import number_of
from apps.screens import list_bar
from apps.screens.crawls.index import Listed
from apps.screens.list_bar import Facet, ListFilters, Order

NUMBER = re.compile(r"#(\d{1,18})")


def _most(value: float | None) -> float:
    """Sorts the greatest first and unknown values last."""
    return 1.0 if value is None else -value


@dataclass(frozen=True, slots=True)
class Filters(ListFilters[Listed]):
    """The filters in use. `topic` and `web` are numbers as text."""

    states = {
        "": ("All", frozenset(State)),
        "active": (
            "Active", frozenset({State.QUEUED, State.RUNNING, State.PAUSED, State.STOPPING})
        ),
        "finished": ("Finished", frozenset({State.FINISHED})),
        "failed": ("Failed", frozenset({State.FAILED})),
        "draft": ("Drafts", frozenset({State.DRAFT})),
    }  # fmt: skip
    orders = {
        "": Order("Newest first", lambda crawl: -crawl.begun.timestamp(), "Started"),
        "oldest": Order(
            "Oldest first", lambda crawl: (crawl.begun, crawl.pk), "Started", rises=True),
        "pages": Order("Most pages first", lambda crawl: -crawl.pages, "Pages"),
        "harvest": Order(
            "Highest harvest rate first", lambda crawl: _most(crawl.harvest), "Harvest rate"),
        "recall": Order(
            "Highest target recall first", lambda crawl: _most(crawl.recall), "Target recall"),
        "topic": Order(
            "Topics A to Z", lambda crawl: crawl.topic.casefold(), "Topic, tags, note", rises=True),
    }  # fmt: skip
    facets = (
        Facet("topic", lambda crawl: [(str(crawl.topic_id), crawl.topic)]),
        Facet("strategy", lambda crawl: [(crawl.strategy, crawl.title)], strategy_title),
        Facet("web", lambda crawl: [(str(crawl.web_id), crawl.web)]),
        Facet("tag", lambda crawl: [(tag, tag) for tag in crawl.tags]),
    )

    topic: str = ""
    strategy: str = ""
    web: str = ""
    tag: str = ""

    def says(self, row: Listed, word: str) -> bool:
        """Whether the crawl's text has the word; `#12` means a crawl's number."""
        number = NUMBER.fullmatch(word)
        return int(number[1]) == row.pk if number else word in row.words


class Listing(list_bar.Listing[Listed]):
    """All crawls visible to a person, with the filters of an address."""

    unit = "crawl"
    told = (State.RUNNING, State.QUEUED, State.STOPPING, State.PAUSED)

    @property
    def facts(self) -> tuple[str, ...]:
        """The totals in words: crawls, active ones, pages; and that they stay true."""
        pages = sum(crawl.pages for crawl in self.all)
        return (*super().facts, f"{number_of(pages, 'page')} fetched", "Rows update by themselves")
