"""AFC's figures of the apprentice: what it learns, what it saves, what its switch does (AFC §3).

A university is crawled as in HCLA's protocol. The critic and baseline is full_page, trained on the
category's pages at the other universities; loss is 1 − P(c|v) by the critic (AFC §3.5).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from apps.engine.evaluation.relevance_distribution import relevance_distribution
from apps.engine.intelligence.calibration import logistic
from apps.engine.intelligence.link_memory import earlier_visits
from apps.engine.intelligence.link_offsets import OffsetFeatures, OffsetMemory, page_features
from apps.engine.intelligence.offset_bayes import Bools
from apps.engine.intelligence.offset_figures import AtOffset, Validation, by_offset, validated
from apps.engine.intelligence.strategies.apprentice import Apprentice
from apps.engine.intelligence.strategies.base import Frontier, Strategy
from apps.engine.intelligence.strategies.full_page import FullPage
from apps.engine.intelligence.strategies.recall_crawler import RecallCrawler
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import CrawledPage, Floats, Topic
from apps.engine.parsing.contexts.leaf_tags import leaf_tags
from apps.engine.representation.tokens import Vocabulary
from apps.experiments.reproduce.hcla_protocol import (
    RANDOM_SEED,
    Crawler,
    closed_crawl,
    topic_of,
)
from apps.experiments.reproduce.parted_web import Part, PartedWeb

WINDOWS = range(9)
WIDEST = 5
COMMONEST = 3


@dataclass(frozen=True, slots=True)
class Window:
    """One window size: held-out accuracy with offsets and without (AFC Fig. 6, 7)."""

    dmax: int
    offsets: Validation
    plain: Validation


@dataclass(frozen=True, slots=True)
class Losses:
    """The mean loss of a crawler after each page (AFC Fig. 10, 12)."""

    crawler: str
    course: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Switch:
    """The apprentice switched in after `pages` (AFC Fig. 13, 14).

    `before` and `after` count waiting URLs by their estimated promise, in tenths. The losses are
    means over `stretch` pages on each side; `baseline` is the loss of the baseline that went on.
    """

    pages: int
    before: tuple[int, ...]
    after: tuple[int, ...]
    stretch: int
    loss_before: float
    loss_after: float
    baseline: float


@dataclass(frozen=True, slots=True)
class Study:
    """All figures of one university. `links` teach: both their ends were fetched.

    `tags` are the commonest tags at each offset of `offsets`, with their counts. `switch` is None
    where the crawl ended before the apprentice had learned.
    """

    university: str
    category: str
    links: int
    windows: tuple[Window, ...]
    offsets: tuple[AtOffset, ...]
    tags: tuple[tuple[tuple[str, int], ...], ...]
    losses: tuple[Losses, ...]
    switch: Switch | None


def study(
    web: PartedWeb, part: Part, category: str, vocabulary: Vocabulary, pages: int
) -> Study:
    """Crawls the part four times, `pages` pages each; the baseline's pages teach the others."""
    told = topic_of(web, part, category, Crawler("full_page", "", FullPage, examples=True))
    baseline = _crawled(web, part, told, vocabulary, FullPage(), pages)
    known = replace(told, earlier=baseline, allowed_urls=frozenset(p.url for p in baseline))
    model = TopicModel(known, vocabulary, RANDOM_SEED)
    high, low, features = _instances(model, WIDEST)
    watched = _Watched(first_reorder=max(pages // 2, 1), reorders_every=max(pages // 8, 1))
    online = _crawled(web, part, known, vocabulary, watched, pages)
    return Study(
        part.name, category, int((high | low).sum()),
        tuple(_window(model, dmax) for dmax in WINDOWS),
        by_offset(features, high, low, WIDEST), _tags(baseline),
        (
            _losses("baseline", baseline),
            _losses("recall crawler", _crawled(
                web, part, known, vocabulary, RecallCrawler(), pages)),
            _losses("apprentice, off line", _crawled(
                web, part, known, vocabulary, Apprentice("offline"), pages)),
            _losses("apprentice, on line", online),
        ),
        _switch(watched, baseline, online),
    )


class _Watched(Apprentice):
    """An apprentice that keeps the frontier's promise before and after it is switched in."""

    promise_: tuple[Floats, Floats] | None = None

    def rescore(self, frontier: Frontier) -> Floats | None:
        _, pages = frontier.edges()
        before = frontier.combine(self.memory_.tau[pages])
        scores = super().rescore(frontier)
        if scores is not None and self.promise_ is None:
            self.promise_ = before, probabilities(scores)
        return scores


def probabilities(keys: Floats) -> Floats:
    """P(high) from the apprentice's keys (1 + x/(1 + |x|))/2, x being its log-odds."""
    part = 2 * keys - 1
    inside = np.abs(part) < 1
    odds = part / np.where(inside, 1 - np.abs(part), 1.0)
    return np.where(inside, logistic(odds), keys)


def _crawled(
    web: PartedWeb, part: Part, topic: Topic, vocabulary: Vocabulary, strategy: Strategy,
    pages: int,
) -> tuple[CrawledPage, ...]:
    """The pages in the order of fetching, with the critic's P(c|v)."""
    crawl = closed_crawl(part, web, TopicModel(topic, vocabulary, RANDOM_SEED), strategy, pages)

    async def run() -> list[tuple[str, float]]:
        crawl.start()
        return [(page.answer.final_url, page.topicality or 0.0)
                async for batch in crawl.run() for page in batch.pages]

    return tuple(CrawledPage(url, part.documents[url], tau) for url, tau in asyncio.run(run()))


def _instances(
    model: TopicModel, dmax: int, offsets: bool = True
) -> tuple[Bools, Bools, OffsetFeatures]:
    """The links of the baseline's pages: which are HIGH, which LOW, and their features."""
    memory = OffsetMemory()
    for visit in earlier_visits(model):
        memory.keep(visit, page_features(visit, dmax, offsets))
    _, high, low = memory.labelled("median")
    return high, low, memory.features()


def _window(model: TopicModel, dmax: int) -> Window:
    found = []
    for offsets in (True, False):
        high, low, features = _instances(model, dmax, offsets)
        found.append(validated(features, high, low, 2 * dmax + 1 if offsets else 1))
    return Window(dmax, *found)


def _tags(pages: Sequence[CrawledPage]) -> tuple[tuple[tuple[str, int], ...], ...]:
    counts: Counter[tuple[int, str]] = Counter()
    for page in pages:
        counts.update(leaf_tags(page.document, WIDEST))
    at: dict[int, Counter[str]] = {d: Counter() for d in range(-WIDEST, WIDEST + 1)}
    for (offset, tag), count in counts.items():
        at[offset][tag] += count
    return tuple(tuple(found.most_common(COMMONEST)) for found in at.values())


def _losses(crawler: str, pages: Sequence[CrawledPage]) -> Losses:
    losses = np.array([1 - page.topicality for page in pages])
    return Losses(crawler, tuple((losses.cumsum() / np.arange(1, len(losses) + 1)).tolist()))


def _switch(
    watched: _Watched, baseline: Sequence[CrawledPage], online: Sequence[CrawledPage]
) -> Switch | None:
    at = watched.first_reorder
    stretch = min(len(online) - at, len(baseline) - at, at)
    if watched.promise_ is None or stretch < 1:
        return None
    before, after = (
        tuple(relevance_distribution(values)[1].tolist()) for values in watched.promise_
    )
    return Switch(
        at, before, after, stretch, _loss(online[at - stretch : at]),
        _loss(online[at : at + stretch]), _loss(baseline[at : at + stretch]),
    )


def _loss(pages: Sequence[CrawledPage]) -> float:
    return sum(1 - page.topicality for page in pages) / len(pages)
