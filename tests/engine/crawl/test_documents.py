"""A crawl that meets documents: fetched, converted elsewhere, judged, stored, and their links."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from apps.engine.agents.agents import Agents
from apps.engine.codes import StopReason
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.events import Batch, PageRecord
from apps.engine.frontier.scope import Scope
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.kinds import DocumentKind
from apps.engine.networking.address_guard import AddressGuard
from apps.engine.networking.connections import Served
from apps.engine.networking.exchange import Equipment, HttpExchange
from apps.engine.networking.http_fetcher import HttpFetcher
from apps.engine.networking.page_store.store import PageStore, PageStoreWriter, Record
from apps.engine.networking.webs.server import WebServer
from apps.engine.parsing.document import parse
from tests.engine.crawl.crawls import POLITE, batches_of
from tests.made_documents import DocumentWeb
from tests.made_web import bread_topic

WEB = DocumentWeb(80)


async def crawled(
    folder: Path, *, documents: bool = True, agents: int = 0
) -> tuple[CrawlLoop, list[Batch]]:
    """A crawl of the web over HTTP until its frontier is empty, with its batches."""
    async with WebServer(WEB) as server:
        served = Served(frozenset(WEB.hosts), "127.0.0.1", server.port)
        guard = AddressGuard(["127.0.0.1"])
        equipment = Equipment(guard, "test/1.0", served=served, documents=documents)
        exchange = Agents(equipment, agents) if agents else HttpExchange(equipment)
        if isinstance(exchange, Agents):
            await exchange.start()
        fetcher = HttpFetcher(equipment, exchange=exchange)
        model = TopicModel(bread_topic(WEB), seed=1)
        scope = Scope(documents=documents)
        store = PageStoreWriter(folder / "pages.warc.gz")
        crawl = CrawlLoop(
            Plan(500, 2_000, scope=scope, politeness=POLITE),
            model,
            strategy("full_page").build({}),
            fetcher,
            committee=model.committee(),
            store=store,
            clock=time.monotonic,
        )
        if crawl.converters is not None:
            crawl.converters.deadline = 600.0  # a busy machine
        crawl.start()
        batches = await batches_of(crawl)
        await fetcher.close()
        store.close()
    return crawl, batches


def pages_of(batches: list[Batch]) -> dict[str, PageRecord]:
    return {page.answer.url: page for batch in batches for page in batch.pages}


@pytest.mark.parametrize("agents", [0, 1])
async def test_documents_are_pages_of_the_crawl(tmp_path, agents):
    crawl, batches = await crawled(tmp_path, agents=agents)
    assert batches[-1].finished is StopReason.FRONTIER_EMPTY
    pages = pages_of(batches)
    documents = {url: page for url, page in pages.items() if url.endswith(".pdf")}
    assert len(documents) > 10
    scanned = {url for url in documents if int(url.split("/")[-1][:-4]) % 20 == 15}
    for url, page in documents.items():
        assert page.answer.converted.kind is DocumentKind.PDF
        assert page.answer.converted.pages == 2
        assert page.answer.converted.html == b"", "it is in the page store"
        assert page.has_no_text == (url in scanned)
        assert (page.verdict is None) == (url in scanned)
        assert page.title.startswith("Report ")
        assert len(page.outlinks) == 1
    assert scanned
    assert crawl.recorder.metrics["no_text"] == len(scanned)
    about = {url: page.verdict.relevant for url, page in documents.items() if page.verdict}
    assert any(about.values()) and not all(about.values())


async def test_the_document_and_its_page_are_stored_together(tmp_path):
    _, batches = await crawled(tmp_path)
    pages = pages_of(batches)
    page = next(page for url, page in pages.items() if url.endswith("/5.pdf"))
    stored = PageStore(tmp_path).read(Record(*page.record))
    assert stored.body == WEB.get(page.answer.url).body
    assert b'<section data-page="2">' in stored.converted.html
    again = parse(stored)
    assert (again.kind, again.title, again.visible) == (DocumentKind.PDF, "Report 5", page.words)


async def test_without_documents_their_addresses_are_left_out(tmp_path):
    crawl, batches = await crawled(tmp_path, documents=False)
    assert not any(url.endswith(".pdf") for url in pages_of(batches))
    assert crawl.converters is None
    assert crawl.frontier.excluded["extension"] > 0
    assert crawl.recorder.errors["not_text"] > 0, "a few are tried: their type decides"
