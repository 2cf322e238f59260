"""The numbers of a crawl do not depend on where its batches end."""

from __future__ import annotations

from tests.engine.crawl.crawls import recorded_crawl
from tests.made_web import MadeWeb


async def test_the_numbers_of_a_strategy_stand_in_a_batch_without_pages_too():
    crawl = recorded_crawl(MadeWeb(), "adaptive_utility", parameters={"memory": 5})
    crawl.start()
    async for batch in crawl.run():
        if batch.pages:
            break
    empty = crawl.close_batch()
    assert batch.pages and not empty.pages
    assert empty.metrics == batch.metrics
    assert empty.metrics["mean_tau"] == batch.pages[-1].telemetry["mean_tau"]
