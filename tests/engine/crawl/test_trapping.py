"""Traps are bounded, honest pages next to them are all fetched, and nobody else is hit (P22)."""

from __future__ import annotations

import pytest

from apps.engine import checkpoint
from apps.engine.codes import StopReason
from apps.engine.crawl.checkpointing import state_of
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.crawl.resuming import resume
from apps.engine.events import Batch
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.webs.virtual_web import RecordedFetcher
from apps.engine.topics import Topic
from tests.engine.crawl import short_pages as short
from tests.engine.crawl.crawls import CHANGE_KINDS, batches_of, requests_of
from tests.engine.crawl.rows import Rows
from tests.engine.crawl.short_pages import ShortPages
from tests.engine.crawl.trap_web import HONEST, HOST, TrapWeb
from tests.made_web import MadeWeb

TRAPS = ("calendar", "facets", "deep", "loop", "session")


def crawl_of(
    web: TrapWeb | MadeWeb, seed: str = f"{HOST}/p/0.html", budget: int = 1200
) -> CrawlLoop:
    plan = Plan(budget, 9000, politeness=Politeness(delay=0.0), recorded=True)
    model = TopicModel(Topic("traps", seeds=(seed,)))
    return CrawlLoop(
        plan, model, strategy("breadth_first")(), RecordedFetcher(web), change_kinds=CHANGE_KINDS
    )


async def crawled(web: TrapWeb) -> list[Batch]:
    crawl = crawl_of(web)
    crawl.start()
    return await batches_of(crawl)


def pages_of(batches: list[Batch]) -> list[str]:
    return [page.answer.url for batch in batches for page in batch.pages]


def traps_of(batches: list[Batch]) -> set[tuple[str, str]]:
    events = [event for batch in batches for event in batch.events if event.kind == "trap"]
    return {(event.payload["rule"], event.payload["place"]) for event in events}


@pytest.mark.parametrize(
    ("trap", "most", "trap_news"),
    [
        ("calendar", 80, ("nothing_new", "site.test/cal/")),
        ("facets", 140, ("nothing_new", "site.test/shop?")),
        ("deep", 80, ("nothing_new", "site.test/deep/")),
        ("loop", 80, ("endless_path", "site.test")),
    ],
)
async def test_a_trap_is_bounded_and_every_honest_page_is_fetched(trap, most, trap_news):
    web = TrapWeb(trap)
    batches = await crawled(web)
    pages, totals = pages_of(batches), batches[-1].totals
    assert batches[-1].finished is StopReason.FRONTIER_EMPTY
    assert set(pages) >= web.honest
    assert len(pages) <= HONEST + most
    assert trap_news in traps_of(batches)
    assert totals.excluded["trap"] > 0
    assert totals.discovered == totals.pages + totals.failed + sum(totals.excluded.values())


async def short_pages(*kinds: str) -> tuple[ShortPages, list[Batch]]:
    """A crawl of honest kinds and the traps beside them, until nothing waits."""
    web = ShortPages(*kinds)
    plan = Plan(4000, 9000, politeness=Politeness(delay=0.0), recorded=True)
    model = TopicModel(Topic("short", seeds=(web.seed,)))
    crawl = CrawlLoop(plan, model, strategy("breadth_first")(), RecordedFetcher(web))
    crawl.start()
    return web, await batches_of(crawl)


@pytest.mark.parametrize("honest", short.HONEST)
async def test_an_honest_site_of_short_pages_is_fetched_whole(honest):
    web, batches = await short_pages(honest)
    assert set(pages_of(batches)) == web.honest
    assert traps_of(batches) == set()
    assert "trap" not in batches[-1].totals.excluded


@pytest.mark.parametrize("trap", short.TRAPS)
async def test_a_trap_beside_short_pages_costs_at_most_200_requests_and_hides_none(trap):
    web, batches = await short_pages(*short.HONEST, trap)
    assert batches[-1].finished is StopReason.FRONTIER_EMPTY
    assert {url.partition("?")[0] for url in pages_of(batches)} >= web.honest
    assert batches[-1].totals.requests <= len(web.honest) + 200
    assert batches[-1].totals.excluded["trap"] > 0
    assert traps_of(batches)


async def test_all_traps_at_once_beside_short_pages_hide_none():
    web, batches = await short_pages("results", *short.TRAPS)
    assert {url.partition("?")[0] for url in pages_of(batches)} >= web.honest
    assert batches[-1].totals.requests <= len(web.honest) + 200 * len(short.TRAPS)


async def test_a_session_mark_costs_a_few_pages_and_hides_none():
    web = TrapWeb("session")
    batches = await crawled(web)
    pages = pages_of(batches)
    assert batches[-1].finished is StopReason.FRONTIER_EMPTY
    assert traps_of(batches) == {("idle_parameter", "site.test /p/?visit")}
    assert {url.partition("?")[0] for url in pages} == web.honest
    assert len(pages) <= 2 * HONEST


async def test_all_traps_at_once_hide_no_honest_page():
    web = TrapWeb(*TRAPS)
    batches = await crawled(web)
    pages = pages_of(batches)
    assert batches[-1].finished is StopReason.FRONTIER_EMPTY
    assert {url.partition("?")[0] for url in pages} >= web.honest
    assert len(pages) <= 5 * HONEST + 300


async def test_honest_webs_have_no_traps():
    web = MadeWeb(400)
    crawl = crawl_of(web, web.url(0))
    crawl.start()
    assert traps_of(await batches_of(crawl)) == set()
    assert traps_of(await crawled(TrapWeb())) == set()


async def test_a_trap_taken_in_again_is_crawled_on():
    crawl = crawl_of(TrapWeb("calendar"), budget=300)
    crawl.start()
    before = (await batches_of(crawl))[-1].totals
    crawl.change("trust_trap", {"rule": "nothing_new", "place": "site.test/cal/"})
    assert crawl.frontier.waiting == before.excluded["trap"]
    after = await batches_of(crawl)
    assert after[-1].finished is StopReason.BUDGET_REACHED
    assert traps_of(after) == set()


async def test_traps_survive_a_kill(tmp_path):
    """Before, while and after they are found; with a checkpoint, and with a change on top."""
    web = TrapWeb("calendar", "session", "loop")
    expected = await crawled(web)
    for kept_after, killed_after in ((40, 90), (110, 150), (None, 150)):
        rows = Rows()
        crawl = crawl_of(web)
        crawl.start()
        path = tmp_path / "kept.npz"
        async for batch in crawl.run():
            rows.commit(batch)
            if kept_after and batch.totals.requests <= kept_after:
                checkpoint.write(path, state_of(crawl))
            if batch.totals.requests >= killed_after:
                break
        kept = checkpoint.read(path) if kept_after else None
        crawl = crawl_of(web)
        await resume(crawl, kept, rows.records(), rows.after(kept["requests"] if kept else 0))
        rest = await batches_of(crawl, rows.commit)
        assert [past.answer.url for past in rows.past] == [
            row.split()[0] for _, row in requests_of(expected)
        ]
        assert rest[-1].totals == expected[-1].totals
        assert len([e for e in rows.events if e.kind == "trap"]) == len(traps_of(expected))
