"""Crawls to choose from: those compared now, and the newest others with pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User

from apps.crawls.models import Crawl
from apps.crawls.selectors import visible_crawls
from apps.engine.intelligence.strategies import strategy_title

OFFERED = 40


@dataclass(frozen=True, slots=True)
class OfferedCrawl:
    """A crawl that may be compared."""

    crawl: Crawl
    title: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class TopicCrawls:
    """The crawls offered of one topic."""

    topic: str
    crawls: tuple[OfferedCrawl, ...]


def offered(person: User, chosen: Sequence[int]) -> list[TopicCrawls]:
    """The crawls grouped by topic: first the topics of the chosen crawls, then those of the
    newest."""
    rows = visible_crawls(person).filter(pages__gt=0).order_by("-pk")
    crawls = {crawl.pk: crawl for crawl in (*rows.filter(pk__in=chosen), *rows[:OFFERED])}
    topics: dict[int, list[Crawl]] = {}
    for crawl in crawls.values():
        topics.setdefault(crawl.topic_id, []).append(crawl)
    return [
        TopicCrawls(
            own[0].topic.name,
            tuple(
                OfferedCrawl(
                    crawl, crawl.name or strategy_title(crawl.strategy), crawl.pk in chosen
                )
                for crawl in sorted(own, key=lambda crawl: -crawl.pk)
            ),
        )
        for own in topics.values()
    ]
