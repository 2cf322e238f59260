"""Whether crawls find pages of higher status at the same topicality: crawls of a recorded web whose
in-links are counted in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from django.contrib.auth.models import User

from apps.engine.crawl.loop import CrawlLoop
from apps.engine.evaluation.status_locality import StatusGraph, status_locality
from apps.engine.events import PageRecord
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.urls import host, registered_domain
from apps.experiments.cells.assembly import plan_of
from apps.experiments.cells.running import event_loop
from apps.experiments.design.schema import CrawlerDesign
from apps.experiments.design.variants import Variant
from apps.experiments.models import Experiment
from apps.jobs.bar import progress_bar
from apps.research.effectiveness.crawling import (
    DEFAULT_POLICY,
    CrawlStudy,
    StudiedTopic,
    frozen_experiment,
)
from apps.research.effectiveness.schema import StudyPlan
from apps.research.effectiveness.status.oracle import StatusOracle
from apps.research.effectiveness.status.result import CrawlerStatus, StatusResult
from apps.webs.links import WebLinks, count_links, links_path
from apps.webs.models import Web

PAGES = 300
FULL_PAGE, STATUS_LEARNER, ORACLE = "Full page", "Status learner", "Oracle"
CRAWLERS: Mapping[str, str] = MappingProxyType(
    {
        FULL_PAGE: "full_page",
        "Learner": "learner",
        STATUS_LEARNER: "status_learner",
        "Adaptive utility": "adaptive_utility",
        "Back-link count": "backlink_count",
        ORACLE: StatusOracle.id,
    }
)
SEED = 1


def status_experiment(
    owner: User, web: Web, plan: StudyPlan, prepare: Callable[[Experiment], None]
) -> Experiment:
    """The draft whose topics are crawled, frozen with the web's in-link counts. Raises Refused,
    BadWebFile."""
    count_links(web)
    designs = tuple(CrawlerDesign(strategy=id) for name, id in CRAWLERS.items() if name != ORACLE)
    return frozen_experiment(
        owner, web, plan, prepare, title="Status", crawlers=lambda topics: designs
    )


def empty_status(study: CrawlStudy, web: Web, command: str) -> StatusResult:
    """A result without crawlers."""
    links = WebLinks(links_path(web))
    graph = link_graph(links)
    return StatusResult(
        web=web.name,
        command=command,
        pages=study.design.pages,
        topics=tuple(topic.name for topic in study.topics),
        locality=locality(graph),
        mean_status=round(float(np.log1p(graph.inlinks).mean()), 3),
    )


def link_graph(links: WebLinks) -> StatusGraph:
    """The links between all pages of a web, with their in-links there."""
    inlinks, sources, targets = links.graph()
    domains: dict[str, int] = {}
    numbers = [domains.setdefault(registered_domain(host(url)), len(domains)) for url in links]
    degrees = np.bincount(sources, minlength=len(inlinks))
    order = np.argsort(sources, kind="stable")
    return StatusGraph(
        inlinks.astype(np.float64),
        np.array(numbers, np.int64),
        np.concatenate([[0], np.cumsum(degrees)]),
        targets[order],
    )


def locality(links: StatusGraph) -> float | None:
    """Spearman's correlation of the in-links of pages one link apart, to three digits."""
    one_link = status_locality(links, seed=SEED)[0].correlation
    return None if one_link is None else round(one_link, 3)


def run_status(study: CrawlStudy, id: str) -> CrawlerStatus:
    """Crawls each topic with the oracle, or with a strategy of the catalogue at its defaults.
    Raises NeedsMissing."""
    bar = progress_bar(study.topics, desc=id, unit="topic", leave=False)
    means = [crawl_topic(study, topic, guide(id, topic)) for topic in bar]
    return CrawlerStatus(
        strategy=id,
        harvest=tuple(harvest for harvest, _ in means),
        status=tuple(status for _, status in means),
    )


def guide(id: str, topic: StudiedTopic) -> Strategy:
    """The oracle of a topic, or a strategy of the catalogue at its defaults."""
    if id == StatusOracle.id:
        return StatusOracle(topic.relevant, topic.model.topic.inlinks)
    return strategy(id).build({})


def crawl_topic(study: CrawlStudy, topic: StudiedTopic, by: Strategy) -> tuple[float, float]:
    """The harvest and the mean status of one crawl, over the pages that links led to."""
    plan = plan_of(study.design, Variant("", {}, DEFAULT_POLICY))
    crawl = CrawlLoop(plan, topic.model.for_another_crawl(), by, study.fetcher())
    crawl.start()
    with event_loop() as loop:
        pages = loop.run_until_complete(_collect_pages(crawl))
    relevant, inlinks = topic.relevant, topic.model.topic.inlinks
    urls = [page.answer.final_url for page in pages]
    harvest = [url in relevant for url in urls]
    status = [np.log1p(count) for url in urls if (count := inlinks.get(url)) is not None]
    return _mean(harvest), _mean(status)


async def _collect_pages(crawl: Any) -> list[PageRecord]:
    """The pages of a crawl but its seeds."""
    return [page async for batch in crawl.run() for page in batch.pages if not page.seed]


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if len(values) else 0.0
