"""The loop over a made web: exact limits, exact counts, exact repetition."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from apps.engine.answers import Answer
from apps.engine.codes import StopReason
from apps.engine.frontier.scope import Scope
from apps.engine.frontier.url_states import UrlState
from apps.engine.frontier.view import FrontierView
from apps.engine.intelligence.strategies import CATALOGUE
from tests.engine.crawl.crawls import NEEDS_MET, batches_of, recorded_crawl, requests_of
from tests.made_web import MadeWeb

WEB = MadeWeb()
RUNNABLE = [kind.id for kind in CATALOGUE if kind.needs <= NEEDS_MET]


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
    assert any(
        page.answer.hops or page.answer.url != page.answer.final_url
        for batch in batches
        for page in batch.pages
    )


async def test_a_crawl_that_meets_only_errors_ends_at_the_request_limit():
    crawl = recorded_crawl(WEB, budget=1)
    crawl.limits.budget, crawl.limits.request_limit = 5, 3
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
    last = samples[-1].metrics
    for name in (
        "harvest_rate",
        "harvest_rate_true",
        "target_recall",
        "average_status_estimated",
        "alpha",
        "mean_tau",
        "delta",
        "diversity",
    ):
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
    crawl = recorded_crawl(WEB, strategy_id, budget=25)
    crawl.start()
    await batches_of(crawl)
    assert crawl.frontier.counts[UrlState.NEW] == 0


class ScriptedWeb(MadeWeb):
    """Every third page shows its words to scripts alone."""

    def _page(self, url: str, i: int) -> Answer:
        page = super()._page(url, i)
        links = b"".join(re.findall(rb"<a .*?</a>", page.body)[:3])
        body = b"<title>bread</title><script></script>" + links
        return page if i % 3 else replace(page, body=body)


async def test_alpha_follows_pages_that_need_scripts_and_their_links_keep_their_worth():
    parameters = {"reorders_every": 10, "step": 0.05}
    crawl = recorded_crawl(ScriptedWeb(), "adaptive_utility", budget=40, parameters=parameters)
    crawl.start()
    batches = await batches_of(crawl)
    pages = [page for batch in batches for page in batch.pages]
    assert 5 < sum(page.needs_javascript for page in pages) < 35
    alphas = [0.5, *(page.telemetry["alpha"] for page in pages)]
    assert all(before != after for before, after in pairwise(alphas))
    waiting = FrontierView(crawl.frontier).numbers
    assert len(waiting) and all(crawl.frontier.priority[n] > 0 for n in waiting)


async def test_pages_that_need_scripts_teach_nothing_about_the_links_to_them():
    crawl = recorded_crawl(ScriptedWeb(), "apprentice", budget=40)
    crawl.start()
    pages = [page for batch in await batches_of(crawl) for page in batch.pages]
    tau = crawl.strategy.memory_.tau
    assert [np.isnan(tau.one(p.number)) for p in pages] == [p.needs_javascript for p in pages]


class MovedWeb(MadeWeb):
    """Every page has moved from its host to one of two others."""

    def get(self, url: str) -> Answer:
        asked, _, path = url.removeprefix("http://").partition("/")
        if asked in self.hosts and path.startswith("p/"):
            to = f"http://new{len(path) % 2}.org/{asked}/{path}"
            return Answer(url, url, status=301, headers=(("Location", to),))
        if asked.startswith("new"):
            return replace(super().get(f"http://{path}"), url=url, final_url=url)
        return super().get(url)


async def test_sites_are_counted_where_they_answer():
    crawl = recorded_crawl(MovedWeb(), budget=20, robots=False)
    crawl.start()
    batches = await batches_of(crawl)
    assert {page.answer.final_url.split("/")[2] for b in batches for page in b.pages} == {
        "new0.org",
        "new1.org",
    }
    assert batches[-1].metrics["diversity"] == 2
