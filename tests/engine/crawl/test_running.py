"""Answers are applied in series, and the event loop turns between these."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from apps.engine import series
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking.page_store.records import pack
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.webs.virtual_web import RecordedFetcher
from apps.engine.parsing.document import parse
from apps.engine.topics import Topic
from tests.engine.crawl.crawls import batches_of
from tests.made_web import MadeWeb

WEB = MadeWeb(60, hosts=6)


class AgentLike(RecordedFetcher):
    """Answers at once, as an agent does: with the document and the packed record."""

    async def fetch(self, url, gate=None, *, any_type=False, spelling=""):
        answer = await super().fetch(url, gate, any_type=any_type)
        if answer.failure:
            return answer
        return replace(answer, document=parse(answer), packed=pack(answer))


def a_crawl() -> CrawlLoop:
    plan = Plan(40, 200, politeness=Politeness(delay=0.0, concurrent=6))
    topic = Topic("made", seeds=tuple(WEB.url(i) for i in range(6)))
    crawl = CrawlLoop(plan, TopicModel(topic), strategy("breadth_first")(), AgentLike(WEB))
    crawl.start()
    return crawl


async def applied_by_turn(crawl: CrawlLoop, monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """How many answers were applied in each turn of the event loop."""
    turn, applied = 0, Counter[int]()
    apply = crawl.turns.apply

    def counted(*args, **more):
        applied[turn] += 1
        apply(*args, **more)

    async def count() -> None:
        nonlocal turn
        while True:
            turn += 1
            await asyncio.sleep(0)

    monkeypatch.setattr(crawl.turns, "apply", counted)
    counting = asyncio.create_task(count())
    await batches_of(crawl)
    counting.cancel()
    return applied


async def test_answers_that_are_there_are_applied_in_one_turn(monkeypatch):
    monkeypatch.setattr(series, "LONGEST", 3600.0)
    applied = await applied_by_turn(a_crawl(), monkeypatch)
    assert max(applied.values()) > 3


async def test_a_series_that_takes_long_ends(monkeypatch):
    monkeypatch.setattr(series, "LONGEST", 0.0)
    applied = await applied_by_turn(a_crawl(), monkeypatch)
    assert max(applied.values()) == 1


async def test_records_are_without_documents_and_packed_pages_which_are_large():
    pages = [page for batch in await batches_of(a_crawl()) for page in batch.pages]
    assert len(pages) == 40
    assert all(page.answer.document is page.answer.packed is None for page in pages)
