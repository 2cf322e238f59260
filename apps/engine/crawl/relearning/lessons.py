"""Learning from labels: the models are retrained and all waiting links scored again.

The strategy keeps what it learned from the crawl (`state`, `fit`, `restore`), and the vocabulary
only grows. The committee does not learn from labels: it must stay independent of the crawler.
Labels take effect between two requests. The event records the number of the last request, so that a
replay applies them at the same point.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from apps.engine.crawl.guide import GuidingModels
from apps.engine.crawl.page_reader import PageReader
from apps.engine.crawl.ranking import rank_again
from apps.engine.crawl.relearning.library import Library
from apps.engine.crawl.relearning.rating import FEW, Ratings
from apps.engine.errors import NeedsMissing
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.rescoring import replace_link_scores
from apps.engine.intelligence.quality import guiding_quality
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.strategies.relearns import relearning
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.topics import Example, Topic

KIND = "labels"
HELD_BACK = 0.02

Quality = Mapping[str, dict[str, Any] | None]


@dataclass(frozen=True, slots=True)
class Rescored:
    """The number of waiting links with a new score, and of the pages read to compute it."""

    links: int
    reread: int


@dataclass(frozen=True, slots=True)
class Lesson:
    """A new guide trained on labels, ready to take effect.

    The guide has learned all labels, not only the new ones. If labels do not change the scores, its
    strategy is the crawl's own and `ratings` is None. `ratings` may be filled before the lesson
    takes effect. `quality` has the guiding classifier's cross-validated measures `before` and
    `after`; `seconds` is the training time.
    """

    guide: GuidingModels
    ratings: Ratings | None
    quality: Quality
    seconds: float

    async def rate_ahead(self, library: Library, frontier: Frontier, few: int = FEW) -> None:
        """Rates the fetched pages until at most `few` are left."""
        if self.ratings is not None:
            await self.ratings.rate_ahead(library, frontier, few)


async def prepare(guide: GuidingModels, library: Library, labels: Sequence[int]) -> Lesson:
    """Reads the labelled pages and trains on them in another thread, while the crawl goes on.

    Raises NeedsMissing if too few examples are left, BadWebFile if a page is gone.
    """
    began = time.perf_counter()
    examples = await library.labelled_examples(labels)
    now = guide.topic
    topic = TopicModel(with_labels(guide.untaught, examples), now.vocabulary, now.seed, now.trained)
    fresh = type(guide.strategy).build(guide.strategy.values())
    quality = await asyncio.to_thread(_train, fresh, now, topic)
    relearns = relearning(fresh)
    new = guide.retrained(topic, relearns or guide.strategy, tuple(labels))
    ratings = Ratings(new.reader, relearns) if relearns else None
    return Lesson(new, ratings, quality, time.perf_counter() - began)


def _train(strategy: Strategy, before: TopicModel, topic: TopicModel) -> Quality:
    """Trains all models, so that later calls find them in the cache."""
    if relearning(strategy):
        strategy.fit(topic)
    PageReader(topic, strategy, None)
    return {"before": _quality(before), "after": _quality(topic)}


def with_labels(topic: Topic, labelled: Sequence[Example]) -> Topic:
    """The topic with the labelled pages as training examples; a label overrides an example.

    **Choice**: the total weight of the labelled off-topic pages is the difference between the
    weights of the positive and the other negative examples, but at least a fiftieth of the latter.
    These pages come from a crawl for the topic, so many are hubs and neighbours that share the
    topic's words. At full weight they would devalue these words and harm the crawl more than the
    other labels help it.
    """
    labelled_urls = {example.url for example in labelled}
    unlabelled = [e for e in topic.training if labelled_urls.isdisjoint((e.url, e.document.url))]
    given = {url for e in topic.training for url in (e.url, e.document.url)}
    against = _weight(unlabelled, False)
    room = max(HELD_BACK * against, _weight((*unlabelled, *labelled), True) - against)
    share = min(1.0, room / max(1.0, _weight(labelled, False)))
    weighed = (
        replace(e, weight=e.weight * (1 if e.relevant else share), from_crawl=e.url not in given)
        for e in labelled
    )
    return replace(topic, training=(*unlabelled, *weighed))


def _weight(examples: Sequence[Example], relevant: bool) -> float:
    return sum(example.weight for example in examples if example.relevant == relevant)


def _quality(topic: TopicModel) -> dict[str, Any] | None:
    """The guiding classifier's measures as plain values, or None if it cannot be trained."""
    try:
        return asdict(guiding_quality(topic))
    except NeedsMissing:
        return None


async def rescore_links(
    ratings: Ratings, library: Library, frontier: Frontier, *, pages: int, now: float
) -> Rescored:
    """Scores all waiting links again with a lesson that takes effect after `pages` pages.

    Raises BadWebFile if a page is gone.
    """
    strategy = ratings.strategy
    if strategy.scores == "urls":
        learns = strategy.learns_from_pages
        reread = await ratings.relearn_pages(library, frontier) if learns else 0
        return Rescored(_rerank(strategy, frontier, pages, now), reread)
    links, reread = await ratings.rate_rest(library, frontier)
    rescored = replace_link_scores(frontier, links, now)
    if strategy.learns_from_pages:
        _rerank(strategy, frontier, pages, now)
    return Rescored(rescored, reread)


def _rerank(strategy: Strategy, frontier: Frontier, pages: int, now: float) -> int:
    """Re-ranks the frontier if the first reordering is due. Returns the number of ranked URLs."""
    first = strategy.first_reorder or strategy.reorders_every
    if not strategy.reorders_every or pages < first:
        return 0
    return rank_again(strategy, frontier, now)
