"""A crawl as somebody starts it, for a process that runs it."""

from __future__ import annotations

from apps.crawls.commands.lifecycle.start import start_here
from apps.crawls.models import Crawl
from apps.crawls.services import create_crawl
from apps.topics.models import Topic


def start_crawl(topic: Topic, strategy: str, pages: int, random_seed: int | None = None) -> Crawl:
    """A started crawl of so many pages of the topic's web. Raises CrawlRefused."""
    assert topic.web is not None
    crawl = create_crawl(
        topic.owner, topic, topic.web, strategy=strategy, budget=pages, random_seed=random_seed
    )
    start_here(crawl)
    return crawl
