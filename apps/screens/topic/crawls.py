"""The newest crawls of a topic on its page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User

from apps.crawls.selectors import crawls_of_rows, visible_crawls
from apps.screens.comparison_link import newest_compared
from apps.screens.crawls.rows import CrawlRow, crawl_rows
from apps.topics.models import Topic

SHOWN = 10


@dataclass(frozen=True, slots=True)
class CrawlsView:
    """The whole section: `rows` are the newest of `count` crawls, `comparison` is the address of
    the page that compares them."""

    rows: Sequence[CrawlRow]
    count: int
    comparison: str


def crawls_view(topic: Topic, user: User) -> CrawlsView:
    """The section for a person, with the crawls that this person may see."""
    crawls = visible_crawls(user).filter(topic=topic).order_by("-pk")
    pages = dict(crawls.values_list("pk", "pages"))
    return CrawlsView(
        rows=crawl_rows(list(crawls_of_rows(crawls.filter(pk__in=[*pages][:SHOWN]))), user),
        count=len(pages),
        comparison=newest_compared(pk for pk, number in pages.items() if number),
    )
