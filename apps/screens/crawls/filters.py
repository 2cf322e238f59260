"""The filters, the order and the page number of the list of crawls, as in its address."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import urlencode

from apps.engine.codes import State
from apps.screens.crawls.index import Listed

NUMBER = re.compile(r"#(\d{1,18})")
STATES: Mapping[str, tuple[str, frozenset[str]]] = {
    "": ("All", frozenset(State)),
    "active": ("Active", frozenset({State.QUEUED, State.RUNNING, State.PAUSED, State.STOPPING})),
    "finished": ("Finished", frozenset({State.FINISHED})),
    "failed": ("Failed", frozenset({State.FAILED})),
    "draft": ("Drafts", frozenset({State.DRAFT})),
}


@dataclass(frozen=True, slots=True)
class Order:
    """One order of the list: its words, and the ascending sort key."""

    title: str
    key: Callable[[Listed], Any]


def _most(value: float | None) -> float:
    """Sorts the greatest first and unknown values last."""
    return 1.0 if value is None else -value


ORDERS: Mapping[str, Order] = {
    "": Order("Newest first", lambda crawl: 0),
    "oldest": Order("Oldest first", lambda crawl: crawl.pk),
    "started": Order("Last started first", lambda crawl: _most(
        crawl.started_at.timestamp() if crawl.started_at else None)),
    "pages": Order("Most pages first", lambda crawl: -crawl.pages),
    "harvest": Order("Highest harvest rate first", lambda crawl: _most(crawl.harvest)),
    "recall": Order("Highest target recall first", lambda crawl: _most(crawl.recall)),
    "topic": Order("Topics A to Z", lambda crawl: crawl.topic.casefold()),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters in use; an empty field filters nothing. `topic` and `web` are numbers as text.

    Each field has the parameter of the same name in the address.
    """

    q: str = ""
    state: str = ""
    topic: str = ""
    strategy: str = ""
    web: str = ""
    tag: str = ""
    order: str = ""

    @classmethod
    def read(cls, asked: Mapping[str, str]) -> Filters:
        """The filters of an address; an unknown state or order is ignored."""
        values = {field.name: asked.get(field.name, "").strip() for field in fields(cls)}
        values["state"] = values["state"] if values["state"] in STATES else ""
        values["order"] = values["order"] if values["order"] in ORDERS else ""
        return cls(**values)

    @property
    def in_use(self) -> dict[str, str]:
        """The filters in use, by parameter, without the order."""
        found = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: value for name, value in found if value and name != "order"}

    def address(self, **changes: str) -> str:
        """The query string with some parameters changed, from the first page."""
        wanted = replace(self, **changes)
        values = {field.name: getattr(wanted, field.name) for field in fields(wanted)}
        return "?" + urlencode({name: value for name, value in values.items() if value})

    def but(self, name: str) -> Filters:
        """The same without one of them."""
        return replace(self, **{name: ""})

    def admits(self, crawl: Listed) -> bool:
        """Whether the crawl passes the filters."""
        return (
            crawl.state in STATES[self.state][1]
            and self.topic in ("", str(crawl.topic_id))
            and self.strategy in ("", crawl.strategy)
            and self.web in ("", str(crawl.web_id))
            and (not self.tag or self.tag in crawl.tags)
            and all(_says(crawl, word) for word in self.q.casefold().split())
        )


def _says(crawl: Listed, word: str) -> bool:
    """Whether the crawl's text has the word; `#12` means a crawl's number."""
    number = NUMBER.fullmatch(word)
    return int(number[1]) == crawl.pk if number else word in crawl.words
