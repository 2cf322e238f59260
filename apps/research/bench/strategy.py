"""The cost of a page by strategy as the queue grows, on a web made for it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from apps.engine.answers import Answer
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.webs.virtual_web import RecordedFetcher, read
from apps.engine.parsing.document import parse
from apps.engine.topics import Example, Topic

LINKS, WORDS = 40, 200
SIZE = 1_000_000
HOSTS = 500
EXAMPLES, BACKGROUND = 20, 200
STEP = 500


@dataclass(frozen=True, slots=True)
class PageCost:
    """The cost after `pages` pages, with `waiting` links in the frontier: microseconds of CPU a
    page since the last one."""

    pages: int
    waiting: int
    microseconds: float


class WideWeb:
    """A million pages of 200 words and 40 links, each written when it is asked for; every tenth is
    about meadows. Nearly every link leads to a page that no other links to."""

    def __init__(self) -> None:
        self.hosts = frozenset(f"h{host}.test" for host in range(HOSTS))
        self.count = SIZE

    def url(self, page: int) -> str:
        return f"http://h{page % HOSTS}.test/{_word(page, page % 10 == 0)}/{page}.html"

    def urls(self) -> Iterator[str]:
        return map(self.url, range(SIZE))

    def page_at(self, url: str) -> str | None:
        return url

    def labels(self, url: str) -> tuple[str, ...]:
        return ()

    def get(self, url: str) -> Answer:
        page = int(url.rpartition("/")[2].removesuffix(".html"))
        draw = np.random.default_rng(page)
        words = [
            _word(word, draw_word < 0.3 and page % 10 == 0)
            for word, draw_word in zip(
                draw.integers(4_000, size=WORDS).tolist(), draw.random(WORDS).tolist(), strict=True
            )
        ]
        parts = []
        for number, target in enumerate(draw.integers(SIZE, size=LINKS).tolist()):
            text = " ".join(words[number * 5 : number * 5 + 5])
            parts.append(f"<p>{text} <a href='{self.url(target)}'>{text[:20]}</a></p>")
        body = f"<html><title>{words[0]}</title>{''.join(parts)}</html>".encode()
        return Answer(url, url, 200, (("Content-Type", "text/html"),), body)


def _word(number: int, of_meadows: bool) -> str:
    return f"meadow{number % 50}x" if of_meadows else f"word{number % 4_000}x"


def strategy_costs(ids: Sequence[str], pages: int) -> dict[str, list[PageCost]]:
    """The costs of each strategy, at its defaults, in a crawl of so many pages as a site runs it,
    with rows, without its storage and without HTTP. Pages are written and parsed as well."""
    model = TopicModel(_topic(WideWeb()))
    return {id: _costs(id, model, pages) for id in ids}


def _costs(id: str, model: TopicModel, pages: int) -> list[PageCost]:
    crawl = CrawlLoop(
        Plan(
            pages,
            5 * pages,
            politeness=Politeness(delay=0.0),
            recorded=True,
            batch_requests=STEP,
            batch_seconds=3600.0,
        ),
        model.for_another_crawl(),
        strategy(id)(),
        RecordedFetcher(WideWeb()),
        committee=model.committee(),
    )
    crawl.start()
    return asyncio.run(_run(crawl))


async def _run(crawl: Any) -> list[PageCost]:
    costs: list[PageCost] = []
    began = time.process_time()
    async for _ in crawl.run():
        spent = time.process_time() - began
        pages = crawl.pages - (costs[-1].pages if costs else 0)
        if not pages:
            continue
        costs.append(PageCost(crawl.pages, crawl.frontier.waiting, round(spent / pages * 1e6, 1)))
        began = time.process_time()
    return costs


def _topic(web: WideWeb) -> Topic:
    def examples(first: int, relevant: bool, count: int) -> list[Example]:
        numbers = range(first, first + count)
        urls = [web.url(10 * number + (0 if relevant else 3)) for number in numbers]
        return [Example(url, parse(read(web, url)), relevant) for url in urls]

    training = [*examples(0, True, EXAMPLES), *examples(0, False, 2 * EXAMPLES)]
    evaluation = [*examples(100, True, EXAMPLES), *examples(100, False, EXAMPLES)]
    background = [each.document for each in examples(300, False, BACKGROUND)]
    return Topic(
        name="meadows",
        language="en",
        keywords=("meadow",),
        seeds=tuple(each.url for each in training if each.relevant),
        training=tuple(training),
        evaluation=tuple(evaluation),
        background=tuple(background),
    )
