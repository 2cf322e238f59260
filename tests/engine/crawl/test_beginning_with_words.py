"""A crawl of a topic that has words and no examples: it begins with them, and teaches itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from apps.engine import checkpoint
from apps.engine.crawl.checkpointing import state_of
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.resuming import resume
from apps.engine.topics import Topic
from tests.engine.crawl.crawls import batches_of, recorded_crawl, requests_of
from tests.engine.crawl.labelled import MadeLibrary, teach
from tests.engine.crawl.rows import Rows
from tests.engine.crawl.test_resuming import run_until
from tests.made_web import BREAD, MadeWeb, bread_topic

pytestmark = pytest.mark.usefixtures("parsed_once")

WEB = MadeWeb(pages=400)


def words_only() -> Topic:
    """A sentence, two keywords and three seeds of which one is about bread."""
    given = bread_topic(WEB, seeds=3)
    return replace(
        given,
        description="Dough of flour that rises by yeast in the oven.",
        keywords=("loaf", "crust"),
        training=(),
        evaluation=(),
    )


def crawl_of_words(strategy: str = "learner", budget: int = 80, **options) -> CrawlLoop:
    return recorded_crawl(
        WEB, strategy, budget=budget, topic=words_only(), batch_requests=10, **options
    )


async def relevant_pages(crawl: CrawlLoop) -> int:
    crawl.start()
    pages = [page for batch in await batches_of(crawl) for page in batch.pages]
    return sum("bread" in WEB.labels(page.answer.final_url) for page in pages)


async def test_words_lead_it_to_the_subject():
    led, blind = crawl_of_words(), crawl_of_words("breadth_first")
    assert led.strategy.basis == "words"
    assert await relevant_pages(led) > 1.5 * await relevant_pages(blind)
    assert led.strategy.basis == "self_taught"


async def test_its_pages_have_the_guides_score_and_no_verdict():
    crawl = crawl_of_words(budget=20)
    crawl.start()
    pages = [page for batch in await batches_of(crawl) for page in batch.pages]
    assert all(0 < page.topicality < 1 and page.verdict is None for page in pages)
    assert crawl.guide.topic.judged_by() == "none"


@pytest.mark.parametrize("killed_at", [5, 15, 45, 52, 70])
async def test_a_killed_crawl_goes_on_as_if_nothing_had_been(killed_at, tmp_path):
    whole = crawl_of_words()
    whole.start()
    expected = requests_of(await batches_of(whole))
    rows, crawl = Rows(), crawl_of_words()
    crawl.start()
    await run_until(crawl, rows, killed_at)
    checkpoint.write(tmp_path / "kept.npz", state_of(crawl))
    await run_until(crawl, rows, killed_at + 10)
    for path in (tmp_path / "kept.npz", None):
        again, stored = crawl_of_words(), checkpoint.read(path) if path else None
        await resume(again, stored, rows.records(), rows.after(stored["requests"] if path else 0))
        if path is None:
            await batches_of(again, rows.commit)
    past = [f"{p.answer.url} {p.answer.failure or ''}".strip() for p in rows.past]
    assert past == [url for _, url in expected]


async def test_labels_teach_the_guide_and_enough_of_them_hand_over():
    crawl = crawl_of_words(budget=200)
    crawl.start()
    pages = []
    async for batch in crawl.run():
        pages += batch.pages
        if len(pages) > 150:
            break
    crawl.library = MadeLibrary(WEB, pages)
    await teach(crawl, [page.seq for page in pages[:10]])
    assert crawl.strategy.basis == "self_taught"
    before = crawl.guide.topic.labels()
    assert len(before) == 10
    bread = [p.seq for p in pages if "bread" in WEB.labels(p.answer.final_url)]
    stars = [p.seq for p in pages if "bread" not in WEB.labels(p.answer.final_url)]
    assert len(bread) >= 20 and len(stars) >= 40
    await teach(crawl, bread[:19] + stars[:40])
    assert crawl.strategy.basis == "self_taught"
    await teach(crawl, bread[:20] + stars[:40])
    assert crawl.strategy.basis == "examples"
    word = crawl.guide.topic.vocabulary.encode([BREAD[0]])
    assert crawl.strategy.classifier_.influence(word)[0] > 0
    waiting = crawl.frontier.waiting_numbers()
    assert len(waiting) and await batches_of(crawl)
