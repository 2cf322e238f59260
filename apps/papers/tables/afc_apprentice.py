"""AFC's crawls with the apprentice: what it saves, and the effect of switching it in (AFC
§3.5–3.7).

A university is crawled by HCLA's protocol. Critic and baseline are full_page, trained on the
category's pages at the other universities, or as published naive Bayes over all labels there; loss
is 1 − P(c|v) by the critic (AFC §3.5).
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

import numpy as np

from apps.engine.intelligence.strategies.apprentice import PROMISES, Apprentice
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.strategies.full_page import FullPage
from apps.engine.intelligence.strategies.recall_crawler import RecallCrawler
from apps.engine.intelligence.strategies.taxonomy_baseline import TaxonomyBaseline
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.representation.tokens import Vocabulary
from apps.engine.topics import CrawledPage, Taxonomy, Topic
from apps.experiments.studies.offset_features import (
    WINDOWS,
    Effect,
    Tags,
    Window,
    effects,
    lesson,
    tags,
    window,
)
from apps.papers.tables.hcla_protocol import (
    RANDOM_SEED,
    ProtocolCrawler,
    closed_crawl,
    topic_of,
)
from apps.papers.tables.parted_web import PartedWeb, UniversityPart

Crawled = tuple[tuple[CrawledPage, float], ...]
CRAWLERS = (
    "baseline",
    "recall crawler",
    "apprentice, off line",
    "apprentice, on line",
    "taxonomy baseline",
    "apprentice of that",
    "baseline, first parent",
    "apprentice, first parent",
)


@dataclass(frozen=True, slots=True)
class Losses:
    """The mean loss of a crawl after each page, by its own critic (AFC Fig. 10, 12), and the share
    of its pages with the category's label."""

    crawler: str
    course: tuple[float, ...]
    labelled: float


@dataclass(frozen=True, slots=True)
class ApprenticeSwitch:
    """Switching the apprentice in after `pages` (AFC Fig. 13, 14).

    `before` and `after` count waiting URLs by their estimated promise, in tenths. The losses are
    means over `stretch` pages on each side; `baseline` is the loss of the baseline that continues.
    """

    pages: int
    before: tuple[int, ...]
    after: tuple[int, ...]
    stretch: int
    loss_before: float
    loss_after: float
    baseline: float


@dataclass(frozen=True, slots=True)
class ApprenticeStudy:
    """All figures of one university. `links` are training instances: both their ends were fetched.

    `tags` are the commonest tags at each offset from −5 to 5. `switch` is None if the crawl ended
    before the apprentice had learned.
    """

    university: str
    category: str
    links: int
    windows: tuple[Window, ...]
    effects: tuple[Effect, ...]
    tags: Tags
    losses: tuple[Losses, ...]
    switch: ApprenticeSwitch | None


def study(
    web: PartedWeb, part: UniversityPart, category: str, vocabulary: Vocabulary, pages: int
) -> ApprenticeStudy:
    """Crawls the part eight times, `pages` pages each; the baselines' pages train the apprentices.

    AFC freezes the score of the first page that links to a URL (its note 2), and leaves other rules
    open. **Choice**: the best score counts, which is the default here; baseline and apprentice are
    crawled by the published rule too.
    """
    base = replace(
        topic_of(web, part, category, ProtocolCrawler("full_page", "", FullPage, examples=True)),
        taxonomy=taxonomy_of(web, part, category),
    )
    relevant = part.relevant(category)

    def crawled(strategy: Strategy, topic: Topic = base, policy: str = "max") -> Crawled:
        return _crawled(web, part, topic, vocabulary, strategy, pages, policy)

    baseline, published = crawled(FullPage()), crawled(TaxonomyBaseline())
    by_labels, by_classes = _after(base, baseline), _after(base, published)
    frozen = crawled(FullPage(), policy="first")
    model = TopicModel(by_labels, vocabulary, RANDOM_SEED)
    apprentice = Apprentice(first_reorder=max(pages // 2, 1), reorders_every=max(pages // 8, 1))
    online = crawled(apprentice, by_labels)
    return ApprenticeStudy(
        part.name,
        category,
        lesson(model).links,
        tuple(window(model, dmax) for dmax in WINDOWS),
        effects(model),
        tags([page for page, _ in baseline]),
        tuple(
            _losses(name, fetched, relevant)
            for name, fetched in zip(
                CRAWLERS,
                (
                    baseline,
                    crawled(RecallCrawler(), by_labels),
                    crawled(Apprentice(mode="offline"), by_labels),
                    online,
                    published,
                    crawled(Apprentice(mode="offline", critic="taxonomy"), by_classes),
                    frozen,
                    crawled(Apprentice(mode="offline"), _after(base, frozen), policy="first"),
                ),
                strict=True,
            )
        ),
        _switch(apprentice, baseline, online),
    )


def taxonomy_of(web: PartedWeb, part: UniversityPart, category: str) -> Taxonomy:
    """The pages of the other universities under their labels, as a directory of topics."""
    pages = tuple(
        (f"/{min(web.labels[url])}", document)
        for name in web.names
        if name != part.name
        for url, document in web.texts(name)
        if web.labels[url]
    )
    return Taxonomy(pages, f"/{category}")


def _after(topic: Topic, crawl: Crawled) -> Topic:
    """The topic with an earlier crawl to learn from, whose pages a recall crawler is limited to."""
    earlier = tuple(page for page, _ in crawl)
    return replace(topic, earlier=earlier, allowed_urls=frozenset(page.url for page in earlier))


def _crawled(
    web: PartedWeb,
    part: UniversityPart,
    topic: Topic,
    vocabulary: Vocabulary,
    strategy: Strategy,
    pages: int,
    policy: str,
) -> Crawled:
    """The pages in the order of fetching, with the critic's P(c|v)."""
    model = TopicModel(topic, vocabulary, RANDOM_SEED)
    crawl = closed_crawl(part, web, model, strategy, pages, policy=policy)

    async def run() -> list[tuple[str, float]]:
        crawl.start()
        return [
            (page.answer.final_url, page.topicality or 0.0)
            async for batch in crawl.run()
            for page in batch.pages
        ]

    return tuple((CrawledPage(url, part.documents[url]), tau) for url, tau in asyncio.run(run()))


def _losses(crawler: str, pages: Crawled, relevant: frozenset[str]) -> Losses:
    losses = np.array([1 - tau for _, tau in pages])
    course = losses.cumsum() / np.arange(1, len(losses) + 1)
    labelled = sum(page.url in relevant for page, _ in pages)
    return Losses(crawler, tuple(course.tolist()), labelled / max(len(pages), 1))


def _switch(apprentice: Apprentice, baseline: Crawled, online: Crawled) -> ApprenticeSwitch | None:
    at, report = apprentice.first_reorder, apprentice.report()
    stretch = min(len(online) - at, len(baseline) - at, at)
    if not report or stretch < 1:
        return None
    before, after = (tuple(report[name].astype(int).tolist()) for name in PROMISES)
    return ApprenticeSwitch(
        at,
        before,
        after,
        stretch,
        _loss(online[at - stretch : at]),
        _loss(online[at : at + stretch]),
        _loss(baseline[at : at + stretch]),
    )


def _loss(pages: Crawled) -> float:
    return sum(1 - tau for _, tau in pages) / len(pages)
