"""A crawl whose batches nobody stores fetches and judges the same."""

from __future__ import annotations

from tests.engine.crawl.crawls import batches_of, recorded_crawl
from tests.made_web import MadeWeb


async def crawled(keeps_rows: bool):
    crawl = recorded_crawl(MadeWeb(), "tag_tree_combo", 60, keeps_rows=keeps_rows)
    crawl.start()
    return await batches_of(crawl)


async def test_only_the_rows_of_the_database_are_missing():
    stored, unstored = await crawled(True), await crawled(False)
    for batch, other in zip(stored, unstored, strict=True):
        assert batch.hosts and batch.discovered and batch.pages[0].contexts
        assert not (other.hosts or other.discovered or other.changed or other.head)
        assert (batch.totals.discovered, batch.metrics) == (other.totals.discovered, other.metrics)
        pages = zip(batch.pages, other.pages, strict=True)
        for page, same in pages:
            assert (page.number, page.priority, page.topicality, page.verdict) == (
                same.number,
                same.priority,
                same.topicality,
                same.verdict,
            )
            assert page.outlinks.tolist() == same.outlinks.tolist() and same.contexts == b""
