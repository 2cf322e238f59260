"""Crawls that learn from an earlier crawl (AFC §2.2, off line; AFC §3.6, the recall crawler)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, overload

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from apps.crawls.models import Crawl, Page
from apps.crawls.pages.bodies import stored_answer
from apps.engine.codes import Need, State
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.parsing.document import parse
from apps.engine.topics import CrawledPage
from apps.topics.inputs.crawl_input import StrategyNeed, one_by_one
from apps.topics.models import Topic
from apps.webs.models import Web

CHUNK = 500


def earlier_crawls(user: User, topic: Topic, web: Web | None = None) -> QuerySet[Crawl]:
    """The crawls that one of this topic may learn from, newest first.

    They are finished or paused, have pages, belong to the same topic or recorded web, and are
    visible to the person.
    """
    # A crawl reads the pages of an earlier one; only people choose it.
    from apps.crawls.selectors import visible_crawls

    same = Q(topic=topic)
    webs = [each.pk for each in (web, topic.web) if each and each.is_recorded]
    if webs:
        same |= Q(web__in=webs)
    ended = visible_crawls(user).filter(same, state__in=(State.FINISHED, State.PAUSED))
    return ended.filter(pages__gt=0).order_by("-pk")


class EarlierPages(Sequence[CrawledPage]):
    """The first pages of an earlier crawl, each read and parsed on demand.

    Raises BadWebFile if a stored page is gone.
    """

    def __init__(self, crawl: Crawl, pages: int) -> None:
        self._rows = Page.objects.filter(crawl=crawl, seq__lte=pages).order_by("seq")
        self._crawl = crawl

    def __len__(self) -> int:
        return self._rows.count()

    def __iter__(self) -> Iterator[CrawledPage]:
        for row in self._rows.iterator(CHUNK):
            yield CrawledPage(row.url, parse(stored_answer(self._crawl, row)))

    @overload
    def __getitem__(self, index: int) -> CrawledPage: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[CrawledPage]: ...
    def __getitem__(self, index: int | slice) -> Any:
        return list(self)[index]


def learn_from_earlier(model: TopicModel, crawl: Crawl) -> None:
    """Gives the topic's model the pages of the crawl's earlier crawl, if it has one."""
    if crawl.earlier is None:
        return
    pages = crawl.earlier_pages or 0
    urls = Page.objects.filter(crawl=crawl.earlier, seq__lte=pages).values_list("url", "final_url")
    allowed = frozenset(url for pair in urls.iterator(CHUNK) for url in pair)
    earlier = EarlierPages(crawl.earlier, pages)
    model.topic = replace(model.topic, earlier=earlier, allowed_urls=allowed)


PREVIOUS_CRAWL = StrategyNeed(
    Need.CRAWL,
    "an earlier crawl",
    "an earlier crawl",
    "A crawl of the topic that has fetched some pages already.",
    met_by=one_by_one(lambda topic: earlier_crawls(topic.owner, topic).exists()),
    anchor=lambda topic: "",  # no page of the topic can make one
)
