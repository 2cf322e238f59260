"""Labels taking effect: the models are trained anew, and every waiting link is scored anew.

What the strategy has learned of the crawl is kept (`state`, `fit`, `restore`); the vocabulary only
grows; the committee stays as it was, for a crawler never judges itself. It happens between two
requests and is recorded with the number of the last one, so that a replay repeats it there.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from apps.engine.crawl.reading import Reader
from apps.engine.errors import NeedsMissing, ReplayDiverged
from apps.engine.events import EventRecord
from apps.engine.frontier.rescoring import LinkScores, replace_link_scores
from apps.engine.frontier.view import FrontierView
from apps.engine.intelligence.quality import guiding_quality
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Example, Floats, Longs, Topic

if TYPE_CHECKING:
    from apps.engine.crawl.loop import Crawl

KIND = "labels"


@dataclass(frozen=True, slots=True)
class Lesson:
    """What labels teach, ready to take effect: the models and the strategy fitted to them.

    `labels` are all that hold then, not only the new ones. `strategy` is not fitted where it does
    not read the examples.
    """

    labels: tuple[int, ...]
    topic: TopicModel
    strategy: Strategy
    seconds: float


async def prepare(crawl: Crawl, labels: Sequence[int]) -> Lesson:
    """Reads the labelled pages and trains on them, in another thread, while the crawl goes on.

    Raises NeedsMissing where too few examples are left, BadWebFile where a page is gone.
    """
    if crawl.library is None:
        raise ValueError("a crawl without a library cannot read its pages again")
    began = time.perf_counter()
    examples = await crawl.library.labelled(labels)
    topic = TopicModel(
        taught(crawl.first_topic, examples), crawl.topic.vocabulary, crawl.topic.seed
    )
    fresh = type(crawl.strategy).build(crawl.strategy.values())
    await asyncio.to_thread(_train, fresh, topic)
    return Lesson(tuple(labels), topic, fresh, time.perf_counter() - began)


def _train(strategy: Strategy, topic: TopicModel) -> None:
    """Everything that takes long; what follows finds the models made."""
    if strategy.reads_examples():
        strategy.fit(topic)
    Reader(topic, strategy, None)
    _quality(topic)


def taught(topic: Topic, labelled: Sequence[Example]) -> Topic:
    """The topic with labelled pages among its training examples; a label overrules an example."""
    said = {example.url for example in labelled}
    kept = [e for e in topic.training if said.isdisjoint((e.url, e.document.url))]
    return replace(topic, training=(*kept, *labelled))


def adopt(crawl: Crawl, lesson: Lesson) -> None:
    """The crawl goes on with the lesson's models; what its strategy has learned is not moved."""
    agent = crawl.asker.robots.user_agent if crawl.asker.robots else None
    crawl.topic, crawl.labels = lesson.topic, lesson.labels
    if lesson.strategy.reads_examples():
        crawl.strategy = lesson.strategy
    crawl.reader = Reader(lesson.topic, crawl.strategy, agent)


async def relearn(crawl: Crawl, lesson: Lesson, payload: Mapping[str, Any]) -> EventRecord:
    """Lets a lesson take effect now, and records it; nothing may be applied to the crawl meanwhile.

    The event's payload is `payload` with `labels`, `rescored` (links), `reread` (pages),
    `seconds`, `training_seconds` and `quality` (`before`, `after`: the guiding classifier's
    cross-validated measures). Verdicts of pages fetched before stay as they were.
    """
    began = time.perf_counter()
    before, learned = _quality(crawl.topic), crawl.strategy.state()
    adopt(crawl, lesson)
    rescored, reread = 0, 0
    if crawl.strategy.reads_examples():
        crawl.strategy.restore(learned)
        rescored, reread = await _score_anew(crawl)
    crawl.changes += 1
    return crawl.note(KIND, {
        **payload,
        "labels": list(lesson.labels),
        "rescored": rescored,
        "reread": reread,
        "seconds": round(time.perf_counter() - began, 3),
        "training_seconds": round(lesson.seconds, 3),
        "quality": {"before": before, "after": _quality(crawl.topic)},
    })


def _quality(topic: TopicModel) -> dict[str, Any] | None:
    """The guiding classifier's measures as plain values; None where it cannot be trained."""
    try:
        return asdict(guiding_quality(topic))
    except NeedsMissing:
        return None


async def _score_anew(crawl: Crawl) -> tuple[int, int]:
    """How many links got a score, and how many pages were read for it."""
    if crawl.strategy.scores == "urls":
        return _rank_anew(crawl), 0
    numbers = crawl.frontier.scorable_numbers()
    rows, sources = crawl.frontier.edges(numbers)
    scores, reread = await _edge_scores(crawl, numbers, sources)
    found = LinkScores(numbers, rows, sources, scores)
    rescored = replace_link_scores(crawl.frontier, found, crawl.clock())
    if crawl.strategy.learns_from_pages:
        _rank_anew(crawl)
    return rescored, reread


def _rank_anew(crawl: Crawl) -> int:
    """What ranks the whole frontier does so, once it has begun to; says how many URLs it ranked."""
    strategy = crawl.strategy
    first = strategy.first_reorder or strategy.reorders_every
    if not strategy.reorders_every or crawl.pages < first:
        return 0
    view = FrontierView(crawl.frontier)
    priorities = strategy.rescore(view)
    if priorities is None:
        return 0
    crawl.frontier.replace_priorities(view.numbers, priorities, crawl.clock())
    return len(view.numbers)


async def _edge_scores(crawl: Crawl, numbers: Longs, sources: Longs) -> tuple[Floats, int]:
    """The score of each link to one of `numbers` (nan: rejected), from its page read again.

    `sources` are the links' pages. Says how many pages were read: where the strategy learns from
    the τ of all pages, all of them.
    """
    assert crawl.library is not None
    scores = np.full(len(sources), np.nan)
    places = _by_page(sources)
    everything = crawl.strategy.learns_from_pages
    pages = crawl.frontier.fetched_numbers() if everything else np.unique(sources)
    async for page in crawl.library.pages(pages.tolist()):
        again = crawl.reader.visit_again(page.answer, page.number, crawl.frontier, page.seq)
        visit = crawl.strategy.relearn(again)
        place = places.pop(page.number, _NOWHERE)
        wanted = np.isin(visit.link_numbers, numbers)
        if wanted.sum() != len(place):
            raise ReplayDiverged(f"page {page.seq} is not the same when it is read again")
        if len(place):
            scores[place] = np.asarray(crawl.strategy.score_links(visit), np.float64)[wanted]
        await asyncio.sleep(0)
    if places:
        raise ReplayDiverged(f"{len(places)} pages with waiting links could not be read again")
    return scores, len(pages)


def _by_page(sources: Longs) -> dict[int, Longs]:
    """The places of each page's links, in their order."""
    order = np.argsort(sources, kind="stable")
    pages, starts = np.unique(sources[order], return_index=True)
    if not len(pages):
        return {}
    return dict(zip(pages.tolist(), np.split(order, starts[1:]), strict=True))


_NOWHERE: Longs = np.empty(0, np.int64)
