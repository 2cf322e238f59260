"""A search of the collections a person may see, by their topics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from django.contrib.auth.models import User
from django.db.models import Count, F, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Lower

from apps.collection.conditions import passing_words
from apps.collection.models import Entry, Progress
from apps.collection.searched_crawls import SearchedCrawls, languages_of, up_to_date
from apps.collection.shared_pages.same_page import count_shown
from apps.crawls.models import Crawl, Page
from apps.crawls.selectors import visible_crawls
from apps.search.filter import Filter
from apps.search.lists import Listing, ListOrder, ListSearch
from apps.search.query import PAGES
from apps.topics.models import Topic
from apps.topics.selectors import visible_topics

LATEST = Page.objects.filter(crawl=OuterRef("pk")).order_by("-seq").values("fetched_at")[:1]


class CollectionListSearch(ListSearch):
    """Words are looked for in the pages of the collections; the context has the `user`."""

    rows: ClassVar = "collections"
    prefixes: ClassVar = PAGES
    sorts: ClassVar = {
        "": ListOrder("Latest page", (F("latest").desc(nulls_last=True),)),
        "name": ListOrder("Name", (Lower("name"),)),
        "pages": ListOrder("Most pages", ("-different_pages",)),
    }
    texts: ClassVar = ()

    @classmethod
    def catalogue(cls) -> Sequence[Filter[Any]]:
        return ()

    def narrow(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """The topics with a page that has the words, in a crawl that the person may see."""
        if not self.words:
            return rows
        crawls = visible_crawls(self.context["user"])
        _index_behind(crawls)
        indexed = Progress.objects.filter(crawl__in=crawls.values("pk")).order_by()
        spoken = languages_of(indexed.values_list("language", flat=True).distinct())
        matching: QuerySet[Any] = rows.filter(
            crawls__in=crawls.filter(passing_words(self.words, self.prefixes, spoken)).values("pk")
        )
        return matching.distinct()


class CollectionListing(Listing):
    """The visible topics, and those of visible crawls with pages, with the search of an address."""

    unit = "collection"

    def __init__(self, user: User, search: CollectionListSearch) -> None:
        crawls = visible_crawls(user)
        self._crawls = crawls.filter(pages__gt=0)
        which = Q(pk__in=visible_topics(user).values("pk")) | Q(
            pk__in=self._crawls.values("topic_id")
        )
        of_topic = crawls.filter(topic=OuterRef("pk")).order_by()
        latest = of_topic.alias(latest=Subquery(LATEST)).order_by(F("latest").desc(nulls_last=True))
        rows = Topic.objects.filter(which).alias(
            latest=Subquery(latest.annotate(at=F("latest")).values("at")[:1]),
            different_pages=_different_pages(crawls),
        )
        super().__init__(rows, search)

    @property
    def contents(self) -> dict[str, int]:
        """The number of topics with pages, of different pages, fetches, and crawls with pages."""
        of_topics: dict[int, list[int]] = {}
        rows = self._crawls.order_by("pk").values_list("topic", "pk", "pages")
        for topic, crawl, _ in rows:
            of_topics.setdefault(topic, []).append(crawl)
        return {
            "topics": len(of_topics),
            "fetched": sum(pages for _, _, pages in rows),
            "crawls": len(rows),
            "pages": sum(count_shown(of_topics).values()),
        }


def _different_pages(crawls: QuerySet[Crawl]) -> Coalesce:
    entries = Entry.objects.filter(topic=OuterRef("pk"), crawl__in=crawls.values("pk")).order_by()
    counted = entries.values("topic").annotate(number=Count("address", distinct=True))
    return Coalesce(Subquery(counted.values("number")), 0, output_field=IntegerField())


def _index_behind(crawls: QuerySet[Crawl]) -> None:
    """Indexes the last few pages of crawls with pages that are not indexed."""
    behind: dict[Topic, list[Crawl]] = {}
    indexed = Progress.objects.filter(crawl=OuterRef("pk")).values("indexed")
    progress = Coalesce(Subquery(indexed), 0)
    for crawl in crawls.alias(indexed=progress).filter(pages__gt=F("indexed")).order_by("-pk"):
        behind.setdefault(crawl.topic, []).append(crawl)
    for topic, of_topic in behind.items():
        up_to_date(SearchedCrawls(topic, tuple(of_topic)))
