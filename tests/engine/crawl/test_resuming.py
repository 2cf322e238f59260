"""Kill and restore: a crawl brought back from its records goes on exactly as it would have."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from apps.engine import checkpoint
from apps.engine.answers import Answer
from apps.engine.codes import StopReason
from apps.engine.crawl.checkpointing import state_of
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.resuming import resume
from apps.engine.errors import BadCheckpoint, ReplayDiverged
from apps.engine.events import Batch
from apps.engine.frontier.orders import ORDERS
from apps.engine.frontier.url_states import UrlState
from apps.engine.intelligence.strategies import CATALOGUE, strategy
from tests.engine.crawl.crawls import NEEDS_MET, batches_of, recorded_crawl, requests_of
from tests.engine.crawl.rows import Rows
from tests.engine.intelligence.strategies.toy import small
from tests.made_web import MadeWeb

pytestmark = pytest.mark.usefixtures("parsed_once")

WEB = MadeWeb()
RUNNABLE = [kind.id for kind in CATALOGUE if kind.needs <= NEEDS_MET]


async def run_until(crawl: CrawlLoop, rows: Rows, requests: int) -> None:
    """Commits batches until so many requests are in, then drops everything in memory."""
    async for batch in crawl.run():
        rows.commit(batch)
        if batch.totals.requests >= requests:
            return


async def brought_back(strategy_id: str, rows: Rows, path: Path | None, **options) -> CrawlLoop:
    crawl = recorded_crawl(WEB, strategy_id, **options)
    kept = checkpoint.read(path) if path else None
    await resume(crawl, kept, rows.records(), rows.after(kept["requests"] if kept else 0))
    return crawl


@pytest.mark.parametrize(
    ("strategy_id", "order"),
    [
        *((id, "best_first") for id in RUNNABLE),
        *(("adaptive_utility", order) for order in ORDERS if order != "best_first"),
    ],
)
async def test_a_killed_crawl_goes_on_as_if_nothing_had_been(strategy_id, order, tmp_path):
    """Killed after a checkpoint and further commits; the order of fetches is the same."""
    options = {
        "budget": 45,
        "batch_requests": 10,
        "order": order,
        "parameters": small(strategy(strategy_id)),
    }
    whole = recorded_crawl(WEB, strategy_id, **options)
    whole.start()
    expected = await batches_of(whole)

    rows = Rows()
    crawl = recorded_crawl(WEB, strategy_id, **options)
    crawl.start()
    await run_until(crawl, rows, 10)
    checkpoint.write(tmp_path / "kept.npz", state_of(crawl))
    await run_until(crawl, rows, 20)
    crawl = await brought_back(strategy_id, rows, tmp_path / "kept.npz", **options)
    await run_until(crawl, rows, 30)  # and again, with no newer checkpoint
    crawl = await brought_back(strategy_id, rows, tmp_path / "kept.npz", **options)
    last = await batches_of(crawl, rows.commit)

    past = [f"{p.answer.url} {p.answer.failure or ''}".strip() for p in rows.past]
    assert past == [url for _, url in requests_of(expected)]
    assert last[-1].totals.discovered == expected[-1].totals.discovered
    assert last[-1].totals.errors == expected[-1].totals.errors
    assert last[-1].totals.excluded == expected[-1].totals.excluded
    assert last[-1].metrics == expected[-1].metrics


class PartlyIndexed(MadeWeb):
    """Every fourth page asks not to be indexed."""

    def get(self, url: str) -> Answer:
        answer = super().get(url)
        if answer.failure or sum(url.encode()) % 4:
            return answer
        return replace(answer, body=b"<meta name=robots content=noindex>" + answer.body)


@pytest.mark.parametrize("strategy_id", ["breadth_first", "adaptive_utility", "learner"])
async def test_the_links_of_pages_not_to_be_indexed_come_back_too(strategy_id):
    """SparkDevNetwork/Rock#2989: their links are in the records, not the pages."""
    web, options = PartlyIndexed(), {"budget": 30, "batch_requests": 10}
    whole = recorded_crawl(web, strategy_id, **options)
    whole.start()
    expected = await batches_of(whole)
    assert any(f.links for batch in expected for f in batch.failures)

    rows = Rows()
    crawl = recorded_crawl(web, strategy_id, **options)
    crawl.start()
    await run_until(crawl, rows, 20)
    crawl = recorded_crawl(web, strategy_id, **options)
    await resume(crawl, None, rows.records(), rows.after(0))
    await batches_of(crawl, rows.commit)
    past = [f"{p.answer.url} {p.answer.failure or ''}".strip() for p in rows.past]
    assert past == [url for _, url in requests_of(expected)]


async def test_it_comes_back_without_any_checkpoint():
    whole = recorded_crawl(WEB, "full_page", budget=60)
    whole.start()
    expected = requests_of(await batches_of(whole))
    rows = Rows()
    crawl = recorded_crawl(WEB, "full_page", budget=60)
    crawl.start()
    await run_until(crawl, rows, 20)
    crawl = await brought_back("full_page", rows, None, budget=60)
    await batches_of(crawl, rows.commit)
    assert [p.request for p in rows.past] == [request for request, _ in expected]
    assert len({p.number for p in rows.past}) == len(rows.past)


async def test_changes_made_while_it_ran_are_replayed_at_their_page(tmp_path):
    def steered(crawl: CrawlLoop):
        def after(batch: Batch) -> None:
            if batch.totals.requests == 25:
                crawl.change("delta", {"value": 0.1})
                crawl.change("exclude_pattern", {"pattern": "*/p/7*"})
                crawl.change("exclude_host", {"host": "h5.test"})
            if batch.totals.requests == 75:
                crawl.change("include_pattern", {"pattern": "*/p/7*"})
                crawl.change("include_host", {"host": "h5.test"})

        return after

    options = {"budget": 120}
    whole = recorded_crawl(WEB, "adaptive_utility", **options)
    whole.start()
    expected = await batches_of(whole, steered(whole))

    rows = Rows()
    crawl = recorded_crawl(WEB, "adaptive_utility", **options)
    crawl.start()
    steer = steered(crawl)
    async for batch in crawl.run():
        rows.commit(batch)
        steer(batch)
        if batch.totals.requests == 50:
            checkpoint.write(tmp_path / "kept.npz", state_of(crawl))
        if batch.totals.requests >= 100:
            break
    for kept in (tmp_path / "kept.npz", None):
        again = await brought_back("adaptive_utility", rows, kept, **options)
        rest = requests_of(await batches_of(again))
        assert rest == requests_of(expected)[100:]


async def test_a_replay_that_goes_another_way_is_refused():
    rows = Rows()
    crawl = recorded_crawl(WEB, "full_page", budget=60)
    crawl.start()
    await run_until(crawl, rows, 30)
    with pytest.raises(ReplayDiverged):
        await brought_back("breadth_first", rows, None, budget=60)


async def test_a_paused_crawl_writes_again_what_the_records_have_wrong():
    """What was in flight may have been left out meanwhile; the records are put right."""
    rows = Rows()
    crawl = recorded_crawl(WEB, "breadth_first", budget=60)
    crawl.start()
    await run_until(crawl, rows, 30)
    wrong = next(n for n, state in enumerate(rows.states) if state is UrlState.WAITING)
    rows.states[wrong] = UrlState.EXCLUDED
    crawl = await brought_back("breadth_first", rows, None, budget=60)
    rows.commit(crawl.close_batch(StopReason.PAUSED_BY_USER))
    assert rows.states[wrong] is UrlState.WAITING


def test_a_damaged_checkpoint_is_refused(tmp_path):
    path = tmp_path / "kept.npz"
    checkpoint.write(path, {"pages": 3})
    assert checkpoint.read(path) == {"pages": 3}
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(BadCheckpoint):
        checkpoint.read(path)
