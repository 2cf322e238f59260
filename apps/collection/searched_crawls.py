"""The crawls that a search looks through: one, or all visible crawls of a topic."""

from __future__ import annotations

import logging
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from django.contrib.auth.models import User
from django.shortcuts import get_object_or_404
from django.urls import reverse

from apps.collection.indexing.index import index_texts, list_pages, progress_of
from apps.collection.indexing.marks import mark_where_changed
from apps.collection.models import Progress
from apps.collection.shared_pages.same_page import sets_within
from apps.collection.tasks import ask
from apps.crawls.models import Crawl
from apps.crawls.selectors import many_of_topic, visible_crawls
from apps.engine.errors import EngineError
from apps.topics.models import Topic
from apps.topics.selectors import visible_topics

log = logging.getLogger("crawlsite.collection")

LISTED_NOW = 4_000
INDEXED_NOW = 50
"""How many pages a request indexes itself; more would make it slow."""
CRAWLS_NOW = 25
"""How many crawls with new pages a request looks at; the supervisor queues the others."""


@dataclass(frozen=True, slots=True)
class SearchedCrawls:
    """The crawls of one topic that are searched; `only` is set if there is just one.

    `languages` are those their words are stemmed in. `missing` counts the pages whose words are not
    indexed yet, `unlisted` those without an entry. `sets` has, by the key of a CrawlSet, the crawls
    of them that have fetched its pages, oldest first. `memo` has what was worked out for
    searches of it, by their query or by what pages are to be near to.
    `readable` are the keys of the topic's crawls that the person may see.
    """

    topic: Topic
    crawls: tuple[Crawl, ...]
    only: Crawl | None = None
    languages: tuple[str | None, ...] = ()
    missing: int = 0
    unlisted: int = 0
    sets: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    readable: frozenset[int] = frozenset()
    memo: dict[Hashable, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def crawl_ids(self) -> tuple[int, ...]:
        return tuple(crawl.pk for crawl in self.crawls)

    @property
    def several(self) -> bool:
        """Whether a page may have been fetched by more than one of the crawls."""
        return len(self.crawls) > 1

    @property
    def address(self) -> str:
        """The address of its list."""
        if self.only is not None:
            return reverse("collection:crawl", args=[self.only.pk])
        return reverse("collection:list", args=[self.topic.pk])


def crawls_of_topic(user: User, pk: int) -> SearchedCrawls:
    """All visible crawls of a visible topic, indexed up to now. Raises Http404."""
    topic = get_object_or_404(visible_topics(user).prefetch_related(None), pk=pk)
    crawls = tuple(many_of_topic(topic, user))
    readable = frozenset(crawl.pk for crawl in crawls)
    return up_to_date(SearchedCrawls(topic, crawls, readable=readable))


def one_crawl(user: User, pk: int) -> SearchedCrawls:
    """One visible crawl, indexed up to now. Raises Http404."""
    crawl = get_object_or_404(visible_crawls(user), pk=pk)
    of_topic = visible_crawls(user).filter(topic=crawl.topic).values_list("pk", flat=True)
    return up_to_date(SearchedCrawls(crawl.topic, (crawl,), crawl, readable=frozenset(of_topic)))


def up_to_date(searched: SearchedCrawls) -> SearchedCrawls:
    """The crawls after indexing the last few pages; more are left to the background."""
    behind = {p.crawl_id: p for p in Progress.objects.filter(crawl__in=searched.crawl_ids)}
    to_list, to_index, left = LISTED_NOW, INDEXED_NOW, CRAWLS_NOW
    indexed, unseen = [], 0
    for crawl in searched.crawls:
        progress = behind.get(crawl.pk)
        gap = crawl.pages - (progress.indexed if progress else 0)
        if gap > 0 and left > 0:
            left -= 1
            to_list -= list_pages(crawl, to_list)
            now = gap <= to_index
            to_index -= gap if now else 0
            _index(crawl, now)
            progress = progress_of(crawl)
        if progress is not None:
            indexed.append((crawl, progress))
        else:
            unseen += crawl.pages
    if indexed:
        mark_where_changed(searched.topic)
    return replace(
        searched,
        languages=languages_of(progress.language for _, progress in indexed),
        missing=unseen + sum(max(0, c.pages - progress.indexed) for c, progress in indexed),
        unlisted=unseen + sum(max(0, c.pages - progress.listed) for c, progress in indexed),
        sets=sets_within(searched.topic, searched.crawl_ids),
    )


def languages_of(indexed_for: Iterable[str | None]) -> tuple[str | None, ...]:
    """Each language that pages may be stemmed in once; None if some are not stemmed."""
    codes: Iterator[list[str] | list[None]] = (
        (languages or "").split() or [None] for languages in indexed_for
    )
    return tuple(dict.fromkeys(chain(*codes)))


def _index(crawl: Crawl, now: bool) -> None:
    if now:
        try:
            index_texts(crawl)
            return
        except EngineError as error:
            log.warning("crawl %s cannot be indexed: %s", crawl.pk, error)
    ask(crawl)
