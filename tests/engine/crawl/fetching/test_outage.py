"""A cut network gives up no URL; a dead host is given up."""

from __future__ import annotations

from collections.abc import Callable

from apps.engine.answers import Answer
from apps.engine.codes import Failure, StopReason
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.webs.virtual_web import RecordedFetcher
from apps.engine.topics import Topic
from tests.engine.crawl.crawls import batches_of
from tests.made_web import MadeWeb

WEB = MadeWeb(120, hosts=6)


class FailingFetcher(RecordedFetcher):
    """A web some of whose requests never arrive; `unreached` is asked with their count."""

    def __init__(self, unreached: Callable[[str, int], bool], web: MadeWeb = WEB) -> None:
        super().__init__(web)
        self._unreached = unreached
        self.asked: list[str] = []

    async def fetch(self, url, gate=None, *, any_type=False, spelling=""):
        self.asked.append(url)
        if self._unreached(url, len(self.asked)):
            return Answer(url, url, failure=Failure.CONNECT)
        return await super().fetch(url, gate, any_type=any_type)


def crawl_with(fetcher: FailingFetcher, seeds: int = 6) -> CrawlLoop:
    plan = Plan(1000, 5000, politeness=Politeness(delay=0.0, concurrent=3, retries=0))
    topic = Topic("made", seeds=tuple(WEB.url(4 * i) for i in range(seeds)))
    crawl = CrawlLoop(plan, TopicModel(topic), strategy("breadth_first")(), fetcher)
    crawl.start()
    return crawl


async def test_a_dead_host_is_given_up_and_the_others_go_on():
    crawl = crawl_with(FailingFetcher(lambda url, n: "//h2." in url))
    last = (await batches_of(crawl))[-1]
    assert last.finished is StopReason.FRONTIER_EMPTY
    assert last.totals.errors["connect"] > 0
    assert last.totals.waiting == 0
    assert last.totals.pages > 60


async def test_a_cut_network_pauses_the_crawl_and_nothing_is_lost():
    whole = (await batches_of(crawl_with(FailingFetcher(lambda url, n: False))))[-1]
    cut = [True]
    crawl = crawl_with(FailingFetcher(lambda url, n: cut[0] and n > 30))
    last = (await batches_of(crawl))[-1]
    assert last.finished is StopReason.NO_NETWORK
    assert last.totals.pages > 10
    assert "connect" not in last.totals.errors
    cut[0] = False
    last = (await batches_of(crawl))[-1]
    assert last.finished is StopReason.FRONTIER_EMPTY
    assert last.totals.pages == whole.totals.pages
    assert "connect" not in last.totals.errors


async def test_hosts_that_never_answered_are_given_up_when_nothing_else_is_left():
    last = (await batches_of(crawl_with(FailingFetcher(lambda url, n: True), seeds=3)))[-1]
    assert last.finished is StopReason.NO_SEEDS
    assert last.totals.errors == {"connect": 3}


async def test_a_page_that_never_comes_is_no_cut_where_its_host_answers():
    """Nothing else is under way at the end of such a crawl, and its host has given pages."""
    alone = MadeWeb(40, hosts=1)
    fetcher = FailingFetcher(lambda url, n: url == alone.url(4), alone)
    last = (await batches_of(crawl_with(fetcher, seeds=2)))[-1]
    assert last.finished is StopReason.FRONTIER_EMPTY
    assert last.totals.errors["connect"] == 1
    assert last.totals.pages > 10
