"""A crawl that meets large pages: the same crawl as if all were parsed in its own process."""

from __future__ import annotations

from dataclasses import replace

from apps.engine.answers import Answer
from apps.engine.codes import Failure, StopReason
from apps.engine.crawl import control
from apps.engine.parsing.large_pages import LargePages
from apps.engine.parsing.processes import ParsingFailed
from tests.engine.crawl.crawls import batches_of, recorded_crawl, requests_of
from tests.made_web import MadeWeb

PADDING = b"<i></i>" * 6_000


class HeavyWeb(MadeWeb):
    """Every fifth page has more tags than are parsed beside the crawl."""

    def _page(self, url: str, i: int) -> Answer:
        page = super()._page(url, i)
        return page if i % 5 else replace(page, body=page.body + PADDING)


async def test_parsing_elsewhere_changes_nothing(monkeypatch):
    parsed = []
    parse = LargePages.parse

    async def counted(self, answer):
        parsed.append(answer.url)
        self.deadline = 600.0  # a busy machine
        return await parse(self, answer)

    monkeypatch.setattr(LargePages, "parse", counted)
    elsewhere = await crawled()
    assert len(parsed) > 3
    monkeypatch.setattr(control, "is_large", lambda answer: False)
    assert await crawled() == elsewhere


async def test_a_page_that_cannot_be_parsed_in_time_is_a_failure_and_the_crawl_goes_on(monkeypatch):
    async def never(self, answer):
        raise ParsingFailed("not parsed within 60 s")

    monkeypatch.setattr(LargePages, "parse", never)
    crawl = recorded_crawl(HeavyWeb(), budget=1000)
    crawl.start()
    batches = await batches_of(crawl)
    failures = [failure.answer for batch in batches for failure in batch.failures]
    complex_ = [answer.final_url for answer in failures if answer.failure == Failure.TOO_COMPLEX]
    assert batches[-1].finished is StopReason.FRONTIER_EMPTY
    assert complex_ and all(int(url.split("/")[-1].split(".")[0]) % 5 == 0 for url in complex_)
    assert batches[-1].totals.errors["too_complex"] == len(complex_)
    assert batches[-1].totals.pages > 50


async def crawled() -> list:
    """Every request, in order, and what each page was worth."""
    crawl = recorded_crawl(HeavyWeb(), "tag_tree_combo", budget=30)
    crawl.start()
    batches = await batches_of(crawl)
    worth = [(page.answer.url, page.priority, page.topicality) for b in batches for page in b.pages]
    return [requests_of(batches), worth]
