"""Earlier crawls by which the duration of a new crawl is estimated."""

from __future__ import annotations

from django.contrib.auth.models import User

from apps.crawls.models import Crawl
from apps.crawls.sources.source import Source
from apps.topics.models import Topic
from apps.webs.models import Web

LAST_CRAWLS = 5
LOOKED_AT = 50
LEAST_PAGES = 100  # of a crawl whose speed is used


def last_alike(
    owner: User, web: Web, source: Source, delay: float | None, topic: Topic | None = None
) -> list[Crawl]:
    """The topic's last crawls of that web with the same pause and at full speed; the owner's for
    other topics if there are none."""
    alike = Crawl.objects.filter(owner=owner, over=source.over, web=web, pages__gte=LEAST_PAGES)
    crawls = [
        crawl
        for crawl in alike.order_by("-pk").defer("metrics", "queue_head", "heat")[:LOOKED_AT]
        if not crawl.politeness.get("pages_per_second")
        and (not source.sends_requests or crawl.politeness.get("delay") == delay)
    ]
    same = [crawl for crawl in crawls if topic is not None and crawl.topic_id == topic.pk]
    return (same or crawls)[:LAST_CRAWLS]
