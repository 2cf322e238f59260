"""The cost of a page in an experiment's cell: Full Page on a web whose pages are kept parsed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.intelligence.strategies.full_page import FullPage
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Judgement, Visit
from apps.engine.networking.fetcher import Fetcher
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.webs.virtual_web import RecordedFetcher, Web
from apps.engine.replays.parsed_web import ParsedWeb
from apps.engine.replays.preparing import prepare

BATCH_REQUESTS = 100


def replay_costs(web: Web, model: TopicModel, pages: int, folder: Path) -> dict[str, float]:
    """Microseconds of CPU a page: to `prepare` it once; of the `strategy` in a replay, and of all
    `beside` it, in the first cell of a topic (`first`) and in the `next` one, which finds pages
    judged already."""
    urls = _Crawled(model, RecordedFetcher(web), pages).urls
    fetched = _Fetched(web, urls)
    begun = time.process_time()
    prepare(folder / "parsed", fetched, None)
    prepared = time.process_time() - begun
    parsed = ParsedWeb(folder / "parsed", fetched)
    first, following = (_Crawled(model, parsed.fetcher(), pages) for _ in range(2))
    seconds = {
        "prepare": prepared,
        "strategy": first.strategy,
        "beside_first": first.seconds - first.strategy,
        "beside_next": following.seconds - following.strategy,
    }
    return {name: round(cost / len(urls) * 1e6, 1) for name, cost in seconds.items()}


class _Crawled:
    """One cell: the pages it fetched, and its seconds of CPU."""

    def __init__(self, model: TopicModel, fetcher: Fetcher, pages: int) -> None:
        plan = Plan(
            pages,
            5 * pages,
            politeness=Politeness(delay=0.0),
            recorded=True,
            keeps_rows=False,
            batch_requests=BATCH_REQUESTS,
        )
        strategy = _Timed()
        crawl = CrawlLoop(
            plan, model.for_another_crawl(), strategy, fetcher, committee=model.committee()
        )
        self.urls: list[str] = []
        begun = time.process_time()
        asyncio.run(self._run(crawl))
        self.seconds = time.process_time() - begun
        self.strategy = strategy.seconds

    async def _run(self, crawl: CrawlLoop) -> None:
        crawl.start()
        async for batch in crawl.run():
            self.urls += [page.answer.final_url for page in batch.pages]


class _Timed(FullPage):
    """Full Page with its seconds of CPU."""

    seconds = 0.0

    def judge(self, visit: Visit) -> Judgement:
        begun = time.process_time()
        judgement = super().judge(visit)
        self.seconds += time.process_time() - begun
        return judgement

    def score_links(self, visit: Visit) -> Floats:
        begun = time.process_time()
        scores = super().score_links(visit)
        self.seconds += time.process_time() - begun
        return scores


class _Fetched:
    """A web of which only the pages that a crawl fetches are prepared."""

    def __init__(self, web: Web, pages: Sequence[str]) -> None:
        self.hosts, self.count = web.hosts, len(pages)
        self.get, self.labels, self.page_at = web.get, web.labels, web.page_at
        self._pages = pages

    def urls(self) -> Iterator[str]:
        return iter(self._pages)
