"""A page's links count up to a limit; what lies beyond is counted and shown, and never queued."""

from __future__ import annotations

from apps.engine.answers import Answer
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.events import Batch
from apps.engine.frontier.scope import Scope
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.webs.virtual_web import RecordedFetcher
from apps.engine.topics import Topic
from tests.engine.crawl.crawls import batches_of

HUB = "http://hub.test/"
LINKS = "".join(f"<a href='/{n}'>x</a><a href='/{n}#again'>x</a>" for n in range(10_050))


class Hub:
    """One page with 10,050 links, each of them twice, of which the first five lead to pages."""

    hosts = frozenset({"hub.test"})

    def get(self, url: str) -> Answer:
        html = LINKS if url == HUB else "<p>words"
        if url != HUB and int(url.removeprefix(HUB)) >= 5:
            return Answer(url, url, status=404, failure="http_404")
        return Answer(url, url, 200, (("Content-Type", "text/html"),), html.encode())


async def crawled(scope: Scope) -> list[Batch]:
    plan = Plan(6, 6, scope=scope, politeness=Politeness(delay=0.0), recorded=True)
    crawl = CrawlLoop(
        plan,
        TopicModel(Topic("hub", seeds=(HUB,))),
        strategy("breadth_first")(),
        RecordedFetcher(Hub()),
    )
    crawl.start()
    return await batches_of(crawl)


def cuts(batches: list[Batch]) -> list[dict]:
    events = [event for batch in batches for event in batch.events]
    return [event.payload for event in events if event.kind == "links_cut"]


async def test_ten_thousand_links_of_a_page_count_unless_set_otherwise():
    batches = await crawled(Scope())
    assert batches[-1].totals.discovered == 10_001
    assert cuts(batches) == [{"url": HUB, "links": 10_000, "beyond": 50}]


async def test_the_limit_is_a_parameter_and_none_is_none():
    batches = await crawled(Scope(links_per_page=3))
    assert batches[-1].totals.discovered == 4
    assert batches[-1].totals.pages == 4
    assert cuts(batches) == [{"url": HUB, "links": 3, "beyond": 10_047}]
    batches = await crawled(Scope(links_per_page=None))
    assert batches[-1].totals.discovered == 10_051
    assert cuts(batches) == []
