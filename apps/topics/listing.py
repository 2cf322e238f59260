"""A search of the topics a person may see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from django.contrib.auth.models import User
from django.db.models import Case, CharField, Count, Exists, F, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Lower

from apps.search.filter import Filter
from apps.search.json_items import joined, number_in
from apps.search.lists import Listing, ListOrder, ListSearch
from apps.topics.filters.catalogue import FILTERS
from apps.topics.models import Topic
from apps.topics.selectors import visible_topics
from apps.webs.models import Web


class TopicSearch(ListSearch):
    """Words are those of name, description, keywords, web and owner."""

    rows: ClassVar = "topics"

    sorts: ClassVar = {
        "": ListOrder("Last changed first", ("-changed_at",)),
        "name": ListOrder("Names A to Z", (Lower("name"),)),
        "f1": ListOrder(
            "Lowest F1 first",
            (number_in("quality__models__0__f1__mean").asc(nulls_last=True),),
        ),
        "crawls": ListOrder("Most crawls first", ("-number",), counted="crawls"),
    }
    texts: ClassVar = ("name", "description", joined("keywords"), "web_name", "owner__username")

    @classmethod
    def catalogue(cls) -> Sequence[Filter[Any]]:
        return FILTERS


class TopicListing(Listing):
    """All topics visible to a person, with the search of an address."""

    unit = "topic"
    reported = ("not crawled",)
    counted: ClassVar = {"not_crawled": Count("pk", filter=Q(is_crawled=False))}


def topic_listing(user: User, search: TopicSearch) -> TopicListing:
    """The topics that a person may see."""
    return TopicListing(_rows(user), search)


def _rows(user: User) -> QuerySet[Topic]:
    """The visible topics with the columns that their filters read."""
    recorded = Q(web__isnull=False) & ~Q(web__source=Web.Source.LIVE)
    name = Case(
        When(recorded, then=F("web__name")), default=Value("live web"), output_field=CharField()
    )
    crawled = Topic.objects.filter(pk=OuterRef("pk"), crawls__isnull=False, crawls__deleted_at=None)
    return visible_topics(user).annotate(web_name=name, is_crawled=Exists(crawled))
