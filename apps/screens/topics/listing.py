"""The list of topics: those shown, and the filters and orders of its bar."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AbstractUser

from apps.screens import list_bar
from apps.screens.list_bar import Facet, ListFilters, Order
from apps.screens.topic.classifier import guiding_f1
from apps.topics.models import Topic
from apps.topics.selectors import listed_topics

CRAWLED, NOT_CRAWLED = "crawled", "not crawled"


@dataclass(frozen=True, slots=True)
class Listed:
    """A topic with its counts; `f1` of its guiding classifier, None if it has not been measured."""

    topic: Topic
    crawls: int
    f1: float | None

    @property
    def pk(self) -> int:
        return self.topic.pk

    @property
    def state(self) -> str:
        """Whether it has crawls."""
        return CRAWLED if self.crawls else NOT_CRAWLED

    @property
    def web(self) -> str:
        """The name of the web that its pages are read from."""
        recorded = self.topic.recorded_web
        return recorded.name if recorded else "live web"

    @property
    def words(self) -> str:
        """What is searched, in lower case."""
        topic = self.topic
        return "\n".join(
            (topic.name, topic.description, *topic.keywords, self.web, topic.owner.get_username())
        ).casefold()


@dataclass(frozen=True, slots=True)
class Filters(ListFilters[Listed]):
    """The filters in use."""

    states = {
        "": ("All", frozenset({CRAWLED, NOT_CRAWLED})),
        "crawled": ("Crawled", frozenset({CRAWLED})),
        "new": ("Not crawled yet", frozenset({NOT_CRAWLED})),
    }
    orders = {
        "": Order("Last changed first", lambda one: -one.topic.changed_at.timestamp()),
        "name": Order("Names A to Z", lambda one: one.topic.name.casefold()),
        "f1": Order("Lowest F1 first", lambda one: 2.0 if one.f1 is None else one.f1),
        "crawls": Order("Most crawls first", lambda one: -one.crawls),
    }
    facets = (
        Facet("web", lambda one: [(one.web, one.web)]),
        Facet("owner", lambda one: [(one.topic.owner.get_username(),) * 2]),
    )

    web: str = ""
    owner: str = ""

    def says(self, row: Listed, word: str) -> bool:
        return word in row.words


class Listing(list_bar.Listing[Listed]):
    """All topics visible to a person, with the filters of an address."""

    unit = "topic"
    told = (NOT_CRAWLED,)


def listing(user: AbstractUser, filters: Filters) -> Listing:
    """The topics that a person may see."""
    found = listed_topics(user)
    return Listing([Listed(one, one.crawl_count, guiding_f1(one)) for one in found], filters)
