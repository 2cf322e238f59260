"""On the demo web the papers' claims hold: guidance harvests more, utility finds status (SL §5, 6).

Paired over five webs that no figure was chosen on, each with its own topic; the truth is the
web's own labels and in-links.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import numpy as np
import pytest
from scipy.stats import ttest_rel

from apps.demo.topic import DEMO_TOPIC, DemoTopic, draw_topic
from apps.demo.web import DemoWeb
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.robots.files import Robots
from apps.engine.networking.webs.virtual_web import RecordedFetcher, read
from apps.engine.parsing.document import parse
from apps.engine.topics import Example, Topic
from tests.engine.parsed_once import each_page_parsed_once

SEEDS = (11, 12, 13, 14, 15)
PAGES = 350  # of each crawl: status falls with length, and another δ shows late
CRAWLS: dict[str, tuple[str, dict[str, float], int]] = {
    "breadth first": ("breadth_first", {}, PAGES),
    "α = 0": ("utility", {"alpha": 0.0}, PAGES),
    "α = .5": ("utility", {"alpha": 0.5}, PAGES),
    "α = 1": ("utility", {"alpha": 1.0}, PAGES),
    "δ = .3": ("adaptive_utility", {"delta": 0.3}, PAGES),
    "δ = .9": ("adaptive_utility", {"delta": 0.9}, PAGES),
}
HARVEST, STATUS = 0, 1


def topic_of(web: DemoWeb, drawn: DemoTopic) -> Topic:
    training = tuple(
        Example(url, parse(read(web, url)), relevant)
        for urls, relevant in ((drawn.positives, True), (drawn.negatives, False))
        for url in urls
    )
    return Topic(
        drawn.name,
        language="en",
        keywords=drawn.keywords,
        seeds=drawn.seeds,
        training=training,
        inlinks=dict(drawn.inlinks),
    )


async def crawled(web: DemoWeb, model: TopicModel, name: str) -> list[str]:
    """The pages of one crawl, in order."""
    strategy_id, parameters, pages = CRAWLS[name]
    crawl = CrawlLoop(
        Plan(pages, 5 * pages, politeness=Politeness(delay=0.0), recorded=True),
        model.for_another_crawl(),
        strategy(strategy_id).build(parameters),
        RecordedFetcher(web),
        robots=Robots("test/1.0"),
    )
    crawl.start()
    return [page.answer.final_url async for batch in crawl.run() for page in batch.pages]


@contextmanager
def each_page_once(web: DemoWeb) -> Iterator[None]:
    """Within, a page of the web is written and parsed for the first crawl that fetches it."""
    with pytest.MonkeyPatch.context() as patched, each_page_parsed_once():
        patched.setattr(web, "get", cache(web.get))
        yield


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Floats]:
    """By crawl an array [web, 2]: share of relevant pages, mean ln(1 + in-links)."""
    points: dict[str, list[tuple[float, float]]] = {name: [] for name in CRAWLS}
    for seed in SEEDS:
        web = DemoWeb(seed)
        topic = topic_of(web, draw_topic(web, seed))
        model = TopicModel(topic, seed=seed)
        with each_page_once(web):
            orders = {name: asyncio.run(crawled(web, model, name)) for name in CRAWLS}
        for name, pages in orders.items():
            assert len(pages) == CRAWLS[name][2]
            harvest = np.mean([DEMO_TOPIC in web.labels(url) for url in pages])
            status = np.mean(np.log1p([topic.inlinks[url] for url in pages]))
            points[name].append((float(harvest), float(status)))
    return {name: np.array(rows) for name, rows in points.items()}


def assert_more(one: Floats, other: Floats, by: float) -> None:
    """More on at least four of the five webs, and on average by at least so much."""
    assert np.sum(one > other) >= 4
    assert np.mean(one - other) > by


def test_topicality_harvests_more_than_breadth_first(outcomes):
    blind, guided = outcomes["breadth first"][:, HARVEST], outcomes["α = 1"][:, HARVEST]
    assert np.all(guided > 1.5 * blind)
    assert ttest_rel(guided, blind, alternative="greater").pvalue < 0.01


def test_the_less_topicality_counts_the_higher_is_the_status(outcomes):
    """SL Fig. 5: α = 0 collects the highest status of all, α = .5 more than α = 1."""
    assert_more(outcomes["α = 0"][:, STATUS], outcomes["α = .5"][:, STATUS], by=0.05)
    assert_more(outcomes["α = .5"][:, STATUS], outcomes["α = 1"][:, STATUS], by=0.1)


def test_status_alone_leaves_the_topic(outcomes):
    """SL Fig. 4: α = 0 is soon off the topic, α = .5 stays on it."""
    assert_more(outcomes["α = .5"][:, HARVEST], 2 * outcomes["α = 0"][:, HARVEST], by=0.0)
    assert np.mean(outcomes["α = .5"][:, HARVEST]) > 0.75 * np.mean(outcomes["α = 1"][:, HARVEST])


def test_a_lower_delta_trades_topicality_for_status(outcomes):
    """SL Fig. 8 and 9, from δ = .9 to .3."""
    low, high = outcomes["δ = .3"], outcomes["δ = .9"]
    assert_more(high[:, HARVEST], low[:, HARVEST], by=0.1)
    assert_more(low[:, STATUS], high[:, STATUS], by=0.05)
    assert_more(low[:, STATUS], outcomes["α = .5"][:, STATUS], by=0.03)
