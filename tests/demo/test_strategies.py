"""On the demo web the papers' claims hold: guidance harvests more, utility finds status (SL §5).

Paired over five webs, each with its own topic; the truth is the web's own labels and in-links.
"""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from scipy.stats import ttest_rel

from apps.demo.topic import DEMO_TOPIC, DemoTopic, draw_topic
from apps.demo.web import DemoWeb
from apps.engine.crawl.loop import Crawl
from apps.engine.crawl.plan import Plan
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Example, Floats, Topic
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.robots import Robots
from apps.engine.networking.virtual_web import RecordedFetcher, read
from apps.engine.parsing.document import parse

SEEDS = (1, 2, 3, 4, 5)
PAGES = 800
STRATEGIES = ("breadth_first", "full_page", "adaptive_utility")


def topic_of(web: DemoWeb, drawn: DemoTopic) -> Topic:
    training = tuple(
        Example(url, parse(read(web, url)), relevant)
        for urls, relevant in ((drawn.positives, True), (drawn.negatives, False))
        for url in urls
    )
    return Topic(drawn.name, language="en", keywords=drawn.keywords, seeds=drawn.seeds,
                 training=training, inlinks=dict(drawn.inlinks))


async def crawled(web: DemoWeb, topic: Topic, name: str, seed: int) -> list[str]:
    """The pages of one crawl, in order."""
    parameters = {"delta": 0.7} if name == "adaptive_utility" else {}
    crawl = Crawl(
        Plan(PAGES, 5 * PAGES, politeness=Politeness(delay=0.0), recorded=True),
        TopicModel(topic, seed=seed),
        strategy(name).build(parameters), RecordedFetcher(web), robots=Robots("test/1.0"),
    )
    crawl.start()
    return [page.answer.final_url async for batch in crawl.run() for page in batch.pages]


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Floats]:
    """By strategy an array [web, 2]: share of relevant pages, mean ln(1 + in-links)."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in STRATEGIES}
    for seed in SEEDS:
        web = DemoWeb(seed)
        topic = topic_of(web, draw_topic(web, seed))
        for name in STRATEGIES:
            pages = asyncio.run(crawled(web, topic, name, seed))
            assert len(pages) == PAGES
            harvest = np.mean([DEMO_TOPIC in web.labels(url) for url in pages])
            status = np.mean(np.log1p([topic.inlinks[url] for url in pages]))
            found[name].append((float(harvest), float(status)))
    return {name: np.array(rows) for name, rows in found.items()}


def test_full_page_harvests_more_than_breadth_first(outcomes):
    blind, guided = outcomes["breadth_first"][:, 0], outcomes["full_page"][:, 0]
    assert np.all(guided > 2 * blind)
    assert ttest_rel(guided, blind, alternative="greater").pvalue < 0.01


def test_adaptive_utility_finds_status_at_comparable_topicality(outcomes):
    topical, adaptive = outcomes["full_page"], outcomes["adaptive_utility"]
    assert ttest_rel(adaptive[:, 1], topical[:, 1], alternative="greater").pvalue < 0.01
    assert np.mean(adaptive[:, 1] - topical[:, 1]) > 0.08
    assert np.mean(adaptive[:, 0]) > 0.88 * np.mean(topical[:, 0])
