"""Memory is flat: what a crawl keeps is what it has discovered (P16)."""

from __future__ import annotations

import os

import pytest

from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.webs.virtual_web import RecordedFetcher
from tests.made_web import MadeWeb, bread_topic
from tests.memory import resident

WARM, PAGES = 5_000, 15_000
PER_PAGE, PER_URL = 5 * 2**20 / 10_000, 300


@pytest.mark.soak
@pytest.mark.skipif(not os.environ.get("CRAWLSITE_SOAK"), reason="15,000 pages: make soak")
@pytest.mark.parametrize("strategy_id", ["breadth_first", "adaptive_utility"])
async def test_memory_grows_with_what_is_discovered_and_no_more(strategy_id):
    web = MadeWeb(300_000, hosts=200)
    model = TopicModel(bread_topic(web), seed=1)
    plan = Plan(PAGES, 10 * PAGES, politeness=Politeness(delay=0.0), recorded=True)
    crawl = CrawlLoop(
        plan,
        model,
        strategy(strategy_id).build({}),
        RecordedFetcher(web),
        committee=model.committee(),
    )
    crawl.start()
    warm: tuple[int, int, int] | None = None
    async for batch in crawl.run():
        totals = batch.totals
        if totals.pages >= WARM and warm is None:
            warm = (totals.pages, totals.discovered, resident())
    assert warm is not None
    pages, urls, before = warm
    allowed = PER_PAGE * (totals.pages - pages) + PER_URL * (totals.discovered - urls)
    grown = resident() - before
    print(f"{strategy_id}: {grown / 2**20:.1f} MB grown, {allowed / 2**20:.1f} allowed")
    assert grown <= allowed
