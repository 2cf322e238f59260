"""A search of a collection, as it is in the query string."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, ClassVar

from django.contrib.auth.models import User

from apps.collection.filters.catalogue import FILTERS
from apps.collection.filters.near import NEAR
from apps.collection.searched_crawls import SearchedCrawls, crawls_of_topic, one_crawl, up_to_date
from apps.crawls.models import Crawl
from apps.search.filter import Filter, Parameters
from apps.search.query import PAGES, read_query
from apps.search.search import Search


class PageOrder(StrEnum):
    """The order of the pages; nearest needs what to be near to, best match words, `differ` several
    crawls: first come the pages that some crawls call relevant and others do not."""

    NEAREST = "nearest"
    BEST = "best"
    TOPICALITY = "topicality"
    STATUS = "status"
    PUBLISHED = "published"
    NEWEST = "newest"
    DIFFER = "differ"


class CollectionSearch(Search):
    """Its `context` are the SearchedCrawls."""

    rows: ClassVar = "a collection"

    orders: ClassVar = {
        PageOrder.NEAREST: "Nearest",
        PageOrder.BEST: "Best match",
        PageOrder.TOPICALITY: "Topicality",
        PageOrder.STATUS: "Status",
        PageOrder.PUBLISHED: "Date",
        PageOrder.NEWEST: "Fetched last",
        PageOrder.DIFFER: "Crawls differ",
    }
    prefixes: ClassVar = PAGES

    @classmethod
    def catalogue(cls) -> Sequence[Filter[Any]]:
        return FILTERS

    @property
    def order_in_effect(self) -> PageOrder:
        """Nearest first if there is what to be near to, best match only if there are words,
        `differ` only in several crawls, else topicality."""
        usual = PageOrder.BEST if self.words else PageOrder.TOPICALITY
        order = self.order or (PageOrder.NEAREST if NEAR.id in self.chosen else usual)
        return PageOrder(order) if self._possible.get(order, True) else PageOrder.TOPICALITY

    def offered_orders(self) -> list[tuple[str, str, bool]]:
        """(title, query string, whether it is in effect) of each order that is possible."""
        return self.order_links(self.order_in_effect, self._possible)

    @property
    def _possible(self) -> dict[str, bool]:
        clauses = read_query(self.words, self.prefixes)
        ranked = any(not clause.excluded and not clause.in_fields for clause in clauses)
        return {
            PageOrder.NEAREST: NEAR.id in self.chosen,
            PageOrder.BEST: ranked,
            PageOrder.DIFFER: self.context.several,
        }


def search_topic(user: User, pk: int, query: Parameters) -> CollectionSearch:
    """A search of all visible crawls of a visible topic. Raises Http404."""
    return CollectionSearch.read(query, crawls_of_topic(user, pk))


def search_crawl(user: User, pk: int, query: Parameters) -> CollectionSearch:
    """A search of one visible crawl. Raises Http404."""
    return CollectionSearch.read(query, one_crawl(user, pk))


def search_crawl_of_site(crawl: Crawl, query: Parameters) -> CollectionSearch:
    """The search of a crawl for those who may read every crawl, as the command line does."""
    return CollectionSearch.read(query, up_to_date(SearchedCrawls(crawl.topic, (crawl,), crawl)))
