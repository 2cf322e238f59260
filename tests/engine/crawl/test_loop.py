"""The loop over a made web: exact limits, exact counts, exact repetition."""

from __future__ import annotations

import pytest

from apps.engine.frontier.entries import Entry
from apps.engine.frontier.scope import Scope
from apps.engine.intelligence.strategies import CATALOGUE
from apps.engine.model import Need, StopReason
from tests.engine.crawl.crawls import batches_of, recorded_crawl, requests_of
from tests.webs import MadeWeb

WEB = MadeWeb()
RUNNABLE = [
    kind.id for kind in CATALOGUE
    if kind.needs <= {Need.EXAMPLES, Need.KEYWORDS, Need.INLINKS}
]


async def test_a_budget_of_ten_fetches_ten_pages():
    crawl = recorded_crawl(WEB, budget=10)
    crawl.start()
    batches = await batches_of(crawl)
    assert batches[-1].finished is StopReason.BUDGET_REACHED
    assert [page.seq for batch in batches for page in batch.pages] == list(range(1, 11))


async def test_it_ends_when_the_frontier_is_empty_and_every_url_is_counted_once():
    crawl = recorded_crawl(WEB, budget=10_000)
    crawl.start()
    batches = await batches_of(crawl)
    totals = batches[-1].totals
    assert batches[-1].finished is StopReason.FRONTIER_EMPTY
    assert totals.waiting == 0
    excluded = sum(totals.excluded.values())
    assert totals.discovered == totals.pages + totals.failed + excluded
    assert totals.requests == totals.pages + totals.failed
    assert totals.errors["robots"] == 1
    assert totals.errors["http_404"] > 0
    asked = [url for _, url in requests_of(batches)]
    assert len(asked) == len(set(asked))


async def test_redirects_count_once_under_their_final_url():
    crawl = recorded_crawl(WEB, budget=10_000)
    crawl.start()
    batches = await batches_of(crawl)
    finals = [page.answer.final_url for batch in batches for page in batch.pages]
    assert len(finals) == len(set(finals))
    assert any(page.answer.hops or page.answer.url != page.answer.final_url
               for batch in batches for page in batch.pages)


async def test_a_crawl_that_meets_only_errors_ends_at_the_request_limit():
    crawl = recorded_crawl(WEB, budget=1)
    crawl.plan = crawl.plan.__class__(5, 3, politeness=crawl.plan.politeness, recorded=True)
    for i in range(9):
        crawl.frontier.seed(f"http://h0.test/gone/{i}", 0.0)
    batches = await batches_of(crawl)
    assert batches[-1].finished is StopReason.REQUEST_LIMIT
    assert batches[-1].totals.requests == 3


async def test_samples_come_every_ten_pages_with_every_measure():
    crawl = recorded_crawl(WEB, "adaptive_utility", budget=40)
    crawl.start()
    batches = await batches_of(crawl)
    samples = [sample for batch in batches for sample in batch.samples]
    assert [sample.pages for sample in samples] == [10, 20, 30, 40]
    assert [sample.seq for sample in samples] == [1, 2, 3, 4]
    last = samples[-1].metrics
    for name in ("harvest_rate", "harvest_rate_true", "target_recall", "average_status_estimated",
                 "alpha", "mean_tau", "delta", "diversity"):
        assert last[name] is not None, name
    pages = [page for batch in batches for page in batch.pages]
    relevant = sum(page.verdict.relevant for page in pages)
    assert last["harvest_rate"] == pytest.approx(relevant / 40)


async def test_guidance_harvests_more_than_breadth_first():
    rates = {}
    for name in ("breadth_first", "full_page", "text_window_combo"):
        crawl = recorded_crawl(MadeWeb(1200), name, budget=150)
        crawl.start()
        rates[name] = (await batches_of(crawl))[-1].metrics["harvest_rate_true"]
    assert rates["full_page"] > rates["breadth_first"] * 1.2
    assert rates["text_window_combo"] > rates["full_page"]


async def test_the_scope_holds_and_is_counted():
    crawl = recorded_crawl(WEB, budget=1000, scope=Scope(deny_hosts=("h3.test",), depth=2))
    crawl.start()
    batches = await batches_of(crawl)
    pages = [page for batch in batches for page in batch.pages if not page.seed]
    assert {page.host for page in pages} <= {f"h{i}.test" for i in range(8) if i != 3}
    assert max(page.depth for page in pages) == 2
    assert set(batches[-1].totals.excluded) >= {"host_denied", "depth"}


async def test_halting_ends_at_a_batch_and_the_crawl_goes_on_as_if_nothing_had_been():
    whole = recorded_crawl(WEB, "full_page", budget=90)
    whole.start()
    expected = requests_of(await batches_of(whole))
    crawl = recorded_crawl(WEB, "full_page", budget=90)
    crawl.start()
    seen = []
    for _ in range(3):
        seen += await batches_of(
            crawl, lambda batch: crawl.halt(StopReason.PAUSED_BY_USER) if batch.pages else None
        )
        assert seen[-1].finished is StopReason.PAUSED_BY_USER
    seen += await batches_of(crawl)
    assert requests_of(seen) == expected


@pytest.mark.parametrize("strategy_id", RUNNABLE)
async def test_no_url_stays_without_a_score(strategy_id):
    crawl = recorded_crawl(WEB, strategy_id, budget=60)
    crawl.start()
    await batches_of(crawl)
    assert crawl.frontier.counts[Entry.NEW] == 0
