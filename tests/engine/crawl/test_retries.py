"""What may pass is asked for again, politely and a few times; every request is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from apps.engine.answers import Answer
from apps.engine.codes import Failure, StopReason
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.crawl.resuming import CrawlRecords, PastRequest, resume
from apps.engine.events import Batch
from apps.engine.frontier.url_states import UrlState
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking import politeness
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.robots import files as robots
from apps.engine.networking.webs.virtual_web import RecordedFetcher
from apps.engine.topics import Topic
from tests.engine.crawl.crawls import batches_of
from tests.made_web import MadeWeb

WEB = MadeWeb(40, hosts=2)
BROKEN = WEB.url(3)


class Moody(RecordedFetcher):
    """Gives `moods(url, n)` in place of the n-th answer (from 1) to a URL, where it gives any."""

    def __init__(self, moods: Callable[[str, int], str | None]) -> None:
        super().__init__(WEB)
        self._moods = moods
        self.asked: Counter[str] = Counter()

    async def fetch(self, url, gate=None, *, any_type=False, spelling=""):
        self.asked[url] += 1
        failure = self._moods(url, self.asked[url])
        if failure:
            return Answer(url, url, failure=failure)
        return await super().fetch(url, gate, any_type=any_type)


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(politeness, "LEAST_BACK_OFF", 0.005)


def crawl_over(
    fetcher: Moody, recorded: bool = False, requests: int = 1000, **politeness
) -> CrawlLoop:
    plan = Plan(
        1000,
        requests,
        politeness=Politeness(delay=0.0, concurrent=2, **politeness),
        recorded=recorded,
    )
    seeds = tuple(WEB.url(i) for i in range(8))
    return CrawlLoop(
        plan, TopicModel(Topic("made", seeds=seeds)), strategy("breadth_first")(), fetcher
    )


async def crawled(fetcher: Moody, **options) -> Batch:
    crawl = crawl_over(fetcher, **options)
    crawl.start()
    last = (await batches_of(crawl))[-1]
    totals = last.totals
    assert totals.discovered == (
        totals.pages + totals.failed + sum(totals.excluded.values()) + totals.waiting
    )
    assert totals.requests == totals.pages + sum(totals.errors.values())
    return last


def failing(times: int, failure: str = "http_503") -> Callable[[str, int], str | None]:
    return lambda url, n: failure if url == BROKEN and n <= times else None


@pytest.mark.parametrize(
    "failure", ["http_500", "http_429", Failure.TIMEOUT, Failure.CONNECT, Failure.INTERRUPTED]
)
async def test_what_passes_is_fetched_after_all(failure):
    whole = await crawled(Moody(failing(0)))
    fetcher = Moody(failing(2, failure))
    last = await crawled(fetcher)
    assert last.finished is StopReason.FRONTIER_EMPTY
    assert fetcher.asked[BROKEN] == 3
    assert last.totals.pages == whole.totals.pages
    assert last.totals.errors[failure] == 2


async def test_what_does_not_pass_is_given_up_after_two_retries():
    fetcher = Moody(failing(99))
    last = await crawled(fetcher)
    assert fetcher.asked[BROKEN] == 3
    assert last.totals.errors["http_503"] == 3
    assert last.finished is StopReason.FRONTIER_EMPTY


@pytest.mark.parametrize("failure", ["http_404", "http_501", Failure.NOT_TEXT, Failure.TLS])
async def test_what_will_not_pass_is_asked_once(failure):
    fetcher = Moody(failing(99, failure))
    await crawled(fetcher)
    assert fetcher.asked[BROKEN] == 1


async def test_of_a_host_that_is_down_only_the_first_url_is_asked_again():
    fetcher = Moody(lambda url, n: "http_502" if "//h1." in url else None)
    await crawled(fetcher)
    again = [url for url, n in fetcher.asked.items() if n > 1]
    assert len(again) == 1
    assert fetcher.asked[again[0]] == 3


async def test_retries_count_within_the_limit_of_requests():
    last = await crawled(Moody(failing(99)), requests=9)
    assert last.finished is StopReason.REQUEST_LIMIT
    assert last.totals.requests == 9


async def test_a_recorded_web_never_changes_its_mind_and_is_asked_once():
    fetcher = Moody(failing(99))
    await crawled(fetcher, recorded=True)
    assert fetcher.asked[BROKEN] == 1


async def test_retries_are_kept_over_a_restart():
    """Killed after the first failure: the URL waits, and has one retry less."""
    fetcher = Moody(failing(99))
    crawl = crawl_over(fetcher)
    crawl.plan = replace(crawl.plan, batch_requests=1)
    crawl.start()
    batches = []
    async for batch in crawl.run():
        batches.append(batch)
        if any(failed.answer.url == BROKEN for failed in batch.failures):
            break
    urls = [entry.url for batch in batches for entry in batch.discovered]
    states = {entry.number: entry.state for batch in batches for entry in batch.discovered}
    states |= {change.number: change.state for batch in batches for change in batch.changed}
    assert states[urls.index(BROKEN)] is UrlState.WAITING
    past = [PastRequest(p.request, p.number, p.answer, p.verdict) for b in batches for p in b.pages]
    past += [PastRequest(f.request, f.number, f.answer) for b in batches for f in b.failures]
    again = crawl_over(fetcher)

    async def requests():
        for request in sorted(past, key=lambda one: one.request):
            yield request

    await resume(
        again, None, CrawlRecords(urls, [states[n] for n in range(len(urls))], [], {}), requests()
    )
    await batches_of(again)
    assert fetcher.asked[BROKEN] == 3


async def test_after_a_loss_every_host_rests_once_more():
    """What was under way is in no record; the clock may have been set back by days."""
    crawl = crawl_over(Moody(failing(0)), retries=0)
    crawl.plan = replace(crawl.plan, politeness=replace(crawl.plan.politeness, delay=5.0))
    crawl.clock = lambda: 100.0
    urls = [WEB.url(i) for i in range(8)]

    async def nothing():
        return
        yield

    records = CrawlRecords(urls, [UrlState.WAITING] * 8, [], {"h0.test": 9e9})
    await resume(crawl, None, records, nothing())
    waits = {host.name: host.next_at - 100.0 for host in crawl.frontier.hosts.all}
    assert waits == {"h0.test": 3600.0, "h1.test": 5.0}
    assert crawl.frontier.pick(100.0) is None


async def test_a_robots_txt_that_fails_once_costs_no_page(monkeypatch):
    """Until it is asked for again nothing of the host is, and nothing of it is given up."""
    monkeypatch.setattr(robots, "FIRST_RETRY", 0.05)
    rules = f"{BROKEN.rpartition('/p/')[0]}/robots.txt"
    fetcher = Moody(lambda url, n: "http_503" if url == rules and n == 1 else None)
    crawl = crawl_over(fetcher)
    crawl.fetcher.robots = robots.Robots("test/1.0")
    crawl.start()
    last = (await batches_of(crawl))[-1]
    assert last.totals.errors["robots_unreachable"] == 1
    assert fetcher.asked[rules] == 2
    assert last.totals.pages > 30
