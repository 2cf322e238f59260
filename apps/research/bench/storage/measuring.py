"""A crawl whose rows are written, and the processor time of its process and of the database."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from apps.crawls.models import FrontierEntry, Outlinks
from apps.research.bench.new_crawl import start_crawl
from apps.research.bench.starts.made_topic import make_topic_of_articles
from apps.research.bench.starts.short_crawl import timed_crawl
from apps.research.bench.storage.server_time import ServerTime

EXAMPLES = 200
"""Pages of the web beyond those that are crawled."""
STRATEGY = "text_window_combo"


@dataclass(frozen=True, slots=True)
class StorageCost:
    """Milliseconds of CPU a page: of the crawl's process from its first request to its last commit
    (`own`), and of PostgreSQL's processes that served it, with its start (`server`; 0 of SQLite,
    which works in the crawl's process). `urls` and `links` are the rows of new URLs and the pages
    with links, a page."""

    pages: int
    own: float
    server: float
    urls: float
    links: float


def measured_crawl(folder: Path, pages: int) -> StorageCost:
    """Crawls so many pages of a recorded web of articles as the product does, with rows, archive,
    measures and checkpoints. `folder` is for a file on the way."""
    topic = make_topic_of_articles(folder, pages + EXAMPLES)
    with ServerTime() as server:
        start, last = timed_crawl(start_crawl(topic, STRATEGY, pages))
    urls = FrontierEntry.objects.filter(crawl__topic=topic).count()
    linked = Outlinks.objects.filter(crawl__topic=topic).count()
    return StorageCost(
        pages,
        round(1e3 * (last - start) / pages, 3),
        round(1e3 * server.seconds / pages, 3),
        round(urls / pages, 2),
        round(linked / pages, 2),
    )
