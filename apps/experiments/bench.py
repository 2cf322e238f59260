"""The cost of a page in CPU time: of a whole crawl over real HTTP, and of each stage."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from apps.demo.topic import draw_topic
from apps.demo.web import DemoWeb
from apps.engine.crawl.loop import Crawl
from apps.engine.crawl.plan import Plan
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.scope import Scope
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Answer, Example, TokenRows, Topic
from apps.engine.networking.address_guard import AddressGuard
from apps.engine.networking.connections import Served
from apps.engine.networking.exchange import Equipment
from apps.engine.networking.fetcher import HttpFetcher
from apps.engine.networking.page_store import PageStoreWriter
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.virtual_web import read
from apps.engine.networking.web_server import WebServer
from apps.engine.parsing.contexts.window import window
from apps.engine.parsing.document import parse
from apps.experiments.replay_bench import replay_costs

STAGE_PAGES = 300


@dataclass(frozen=True, slots=True)
class Bench:
    """Microseconds of CPU a page, except `pages_per_second` (wall clock) and the sizes.

    `replay` is the cost of a page in an experiment (`replay_bench`).
    """

    pages: int
    kilobytes_a_page: float
    links_a_page: float
    pages_per_second: float
    whole: float
    stages: dict[str, float]
    replay: dict[str, float]

    def as_json(self) -> dict[str, Any]:
        """Plain values, rounded."""
        return {
            name: round(value, 1) if isinstance(value, float) else value
            for name, value in asdict(self).items()
        }


def bench(pages: int, folder: Path, seed: int = 1) -> Bench:
    """Crawls `pages` pages of the demo web, which a separate process serves.

    Every page is judged, every link scored, every body archived in `folder`; no rows are written.
    """
    web = DemoWeb(seed)
    topic = _topic(web)
    model = TopicModel(topic)
    model.classifier(), model.committee()  # training is not part of a page
    with _served(seed) as port:
        begun, cpu = time.perf_counter(), time.process_time()
        last = asyncio.run(_crawl(web, model, port, pages, folder))
        wall, cpu = time.perf_counter() - begun, time.process_time() - cpu
    answers = [read(web, url) for url in islice(web.urls(), STAGE_PAGES)]
    documents = [parse(answer) for answer in answers]
    return Bench(
        pages=last,
        kilobytes_a_page=sum(len(a.body) for a in answers) / len(answers) / 1024,
        links_a_page=sum(len(d.links) for d in documents) / len(documents),
        pages_per_second=last / wall,
        whole=cpu / last * 1e6,
        stages=_stages(model, answers, folder),
        replay=replay_costs(web, model, pages, folder),
    )


async def _crawl(web: DemoWeb, model: TopicModel, port: int, pages: int, folder: Path) -> int:
    served = Served(web.hosts, "127.0.0.1", port)
    fetcher = HttpFetcher(Equipment(AddressGuard(), "crawlsite-bench", served=served))
    plan = Plan(pages, 5 * pages, politeness=Politeness(delay=0.0, concurrent=16))
    store = PageStoreWriter(folder / "crawl.warc.gz")
    crawl = Crawl(plan, model, strategy("text_window_combo")(), fetcher,
                  committee=model.committee(), store=store)
    crawl.start()
    try:
        async for batch in crawl.run():
            fetched = batch.totals.pages
    finally:
        await fetcher.close()
        store.close()
    return fetched


def _stages(model: TopicModel, answers: list[Answer], folder: Path) -> dict[str, float]:
    """Microseconds a page of each stage alone, over the same pages."""
    documents = [parse(answer) for answer in answers]
    tokens = [model.vocabulary.encode(document.words) for document in documents]
    classifier, committee = model.classifier(), model.committee()
    pages = list(zip(tokens, documents, strict=True))
    rows = [TokenRows.gather(ids, window(document, 40, "fill")) for ids, document in pages]
    whole = TokenRows.of([ids[: document.visible] for ids, document in pages])
    frontier = Frontier(Scope(), one_at_a_time=False)
    frontier.seed("http://seed.test/", 0.0)
    store = PageStoreWriter(folder / "stages.warc.gz")

    def queue(i: int) -> None:
        numbers = frontier.discover(documents[i].links.urls, 0)
        frontier.offer(numbers, [0.5] * len(numbers), 0, 0.0)

    stages: dict[str, Callable[[int], object]] = {
        "parse": lambda i: parse(answers[i]),
        "encode": lambda i: model.vocabulary.encode(documents[i].words),
        "contexts": lambda i: window(documents[i], 40, "fill"),
        "score_links": lambda i: classifier.probabilities(rows[i]),
        "queue": queue,
        "archive": lambda i: store.append(answers[i]),
    }
    costs = {name: _cost(stage, len(answers)) for name, stage in stages.items()}
    if committee is not None:
        costs["committee"] = _cost(lambda _: committee.judge(whole), 1) / len(answers)
    store.close()
    return {name: round(cost, 1) for name, cost in costs.items()}


def _cost(stage: Callable[[int], object], pages: int) -> float:
    stage(0)
    begun = time.process_time()
    for i in range(pages):
        stage(i)
    return (time.process_time() - begun) / pages * 1e6


def _topic(web: DemoWeb) -> Topic:
    drawn = draw_topic(web)

    def examples(urls: tuple[str, ...], relevant: bool) -> list[Example]:
        return [Example(url, parse(read(web, url)), relevant) for url in urls]

    return Topic(
        name=drawn.name, language=drawn.language, keywords=drawn.keywords, seeds=drawn.seeds,
        training=(*examples(drawn.positives, True), *examples(drawn.negatives, False)),
        evaluation=(
            *examples(drawn.evaluation_positives, True),
            *examples(drawn.evaluation_negatives, False),
        ),
        targets=frozenset(drawn.targets),
    )


@contextmanager
def _served(seed: int) -> Iterator[int]:
    """The port of the demo web, served by a separate process."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    server = spawn.Process(target=_serve, args=(seed, theirs), daemon=True)
    server.start()
    try:
        yield int(ours.recv())
    finally:
        server.terminate()
        server.join()


def _serve(seed: int, pipe: Connection) -> None:
    async def serve() -> None:
        async with WebServer(DemoWeb(seed)) as server:
            pipe.send(server.port)
            await asyncio.Event().wait()

    asyncio.run(serve())
