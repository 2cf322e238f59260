"""A topic of a made web, and a short crawl for it, which notes what it takes."""

from __future__ import annotations

import time
from pathlib import Path

from django.contrib.auth.models import User

from apps.crawls.models import Crawl
from apps.research.bench.whole_crawl import run_crawl
from apps.topics.models import Topic

HOSTS = 40
PAGES, CRAWLED = 600, 50
"""Pages of the web, 180 of which are the topic's examples, and of a crawl."""


def make_topic_of_articles(folder: Path, pages: int) -> Topic:
    """A trained topic of a web of so many pages, in an empty site; `folder` is for a file on the
    way."""
    # A process that crawls is to read no more modules than a site's.
    from apps.research.bench.articles import ArticleWeb
    from apps.research.bench.screens.large_site import make_topic, recorded_articles

    owner = User.objects.create_superuser("bench")
    articles = ArticleWeb(pages=pages, hosts=HOSTS)
    return make_topic(articles, recorded_articles(articles, folder, owner), owner)


def crawl(strategy: str, pages: int) -> tuple[float, float]:
    """Crawls so many pages for the only topic. The CPU seconds of this process when the first
    request was about to be sent, and when the last page was committed. Raises RuntimeError if the
    crawl does not finish."""
    before, committed = [0.0], [0.0]

    def begin() -> None:
        before[0] = time.process_time()

    def report(crawl: Crawl) -> None:
        committed[0] = time.process_time()

    run_crawl(Topic.objects.get(), strategy, pages, report=report, begin=begin)
    return before[0], committed[0]
