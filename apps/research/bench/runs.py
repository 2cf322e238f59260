"""The cost of a page in CPU time: of a whole crawl over real HTTP (`crawl_bench`), and of each
stage."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from django.conf import settings

from apps.engine.answers import Answer
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.scope import Scope
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import TokenRows
from apps.engine.networking.connections import Served
from apps.engine.networking.page_store.store import PageStoreWriter
from apps.engine.networking.webs.virtual_web import read
from apps.engine.parsing.contexts.window import window
from apps.engine.parsing.document import parse
from apps.research.bench.articles import ArticleWeb, article_topic
from apps.research.bench.crawl import (
    CrawlCost,
    crawl_cost,
    floor_cost,
    scrapy_cost,
    served_web,
)
from apps.research.bench.replay import replay_costs

STAGE_PAGES = 300


@dataclass(frozen=True, slots=True)
class Round:
    """The costs of one round, measured one after another: of the same pages each time."""

    alone: CrawlCost
    with_agents: CrawlCost
    floor: float
    scrapy: float | None

    @property
    def of_scrapy(self) -> float | None:
        return self.alone.coordinator / self.scrapy if self.scrapy else None


@dataclass(frozen=True, slots=True)
class Bench:
    """Microseconds of CPU a page, except `pages_per_second` (wall clock) and the sizes; of what was
    measured in each of the rounds, the median, and of their ratios too.

    `floor` is what httpx and lxml alone take for the same pages, `times_floor` how many times that
    a `whole` page of a crawl takes in one process. `with_agents` is the same crawl with the site's
    number of agents, at least one. `scrapy` is what Scrapy takes for a page of the same web, and
    `of_scrapy` the share of that which `whole` is, in `of_scrapy_by_round` round by round; None
    without Scrapy. `replay` is the cost of a page in an experiment (`replay_bench`).
    """

    pages: int
    kilobytes_a_page: float
    links_a_page: float
    pages_per_second: float
    whole: float
    floor: float
    times_floor: float
    with_agents: CrawlCost
    scrapy: float | None
    of_scrapy: float | None
    of_scrapy_by_round: list[float]
    stages: dict[str, float]
    replay: dict[str, float]

    def as_json(self) -> dict[str, Any]:
        """Plain values, rounded."""
        return {name: _rounded(value) for name, value in asdict(self).items()}


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [*map(_rounded, value)]
    return round(value, 2) if isinstance(value, float) else value


def bench(
    pages: int,
    folder: Path,
    script: str | None = None,
    scrapy: str | None = None,
    rounds: int = 1,
) -> Bench:
    """Crawls `pages` pages of a web of articles, which a separate process serves, in so many
    rounds; they are in several scripts, or all in one.

    Every page is judged, every link scored, every body archived in `folder`; no rows are written.
    `scrapy` is an interpreter that has Scrapy, which then crawls the same web in each round.
    """
    web = ArticleWeb(script)
    topic = article_topic(web)
    model = TopicModel(topic)
    model.classifier(), model.committee()  # training is not part of a page
    urls = list(islice(web.urls(), pages))
    results = []
    with served_web(script) as port:
        served = Served(web.hosts, "127.0.0.1", port)
        for number in range(rounds):
            round_folder = folder / f"round-{number + 1}"
            round_folder.mkdir()
            alone, with_agents = (
                crawl_cost(model.for_another_crawl(), served, pages, round_folder, agents)
                for agents in (0, settings.AGENTS or 1)
            )
            floor = floor_cost(served, urls)
            theirs = scrapy_cost(scrapy, port, topic.seeds, pages, round_folder) if scrapy else None
            results.append(Round(alone, with_agents, floor, theirs))
    answers = [read(web, url) for url in urls[:STAGE_PAGES]]
    documents = [parse(answer) for answer in answers]
    shares = [each.of_scrapy for each in results if each.of_scrapy is not None]
    return Bench(
        pages=min(each.alone.pages for each in results),
        kilobytes_a_page=sum(len(a.body) for a in answers) / len(answers) / 1024,
        links_a_page=sum(len(d.links) for d in documents) / len(documents),
        pages_per_second=median(each.alone.pages_per_second for each in results),
        whole=median(each.alone.coordinator for each in results),
        floor=median(each.floor for each in results),
        times_floor=median(each.alone.coordinator / each.floor for each in results),
        with_agents=_middle([each.with_agents for each in results]),
        scrapy=median(each.scrapy for each in results if each.scrapy) if scrapy else None,
        of_scrapy=median(shares) if shares else None,
        of_scrapy_by_round=shares,
        stages=_stages(model, answers, folder),
        replay=replay_costs(web, model, pages, folder),
    )


def _middle(costs: list[CrawlCost]) -> CrawlCost:
    """The crawl whose CPU, of all its processes, is the lower median."""
    return sorted(costs, key=lambda cost: cost.coordinator + cost.of_agents)[(len(costs) - 1) // 2]


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
