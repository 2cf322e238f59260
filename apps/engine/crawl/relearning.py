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

from apps.engine.crawl.rating import Ratings
from apps.engine.crawl.reading import Reader
from apps.engine.errors import NeedsMissing
from apps.engine.events import EventRecord
from apps.engine.frontier.rescoring import replace_link_scores
from apps.engine.frontier.view import FrontierView
from apps.engine.intelligence.quality import guiding_quality
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Example, Topic

if TYPE_CHECKING:
    from apps.engine.crawl.loop import Crawl

KIND = "labels"
HELD_BACK = 0.02

Quality = Mapping[str, dict[str, Any] | None]


@dataclass(frozen=True, slots=True)
class Lesson:
    """What labels teach, ready to take effect: the models and the strategy fitted to them.

    `labels` are all that hold then, not only the new ones. `strategy` is the crawl's own where it
    does not read the examples. `quality` has the guiding classifier's cross-validated measures,
    `before` and `after`. `ratings` may be filled before the lesson takes effect.
    """

    labels: tuple[int, ...]
    topic: TopicModel
    strategy: Strategy
    reader: Reader
    ratings: Ratings
    quality: Quality
    seconds: float


async def prepare(crawl: Crawl, labels: Sequence[int]) -> Lesson:
    """Reads the labelled pages and trains on them, in another thread, while the crawl goes on.

    Raises NeedsMissing where too few examples are left, BadWebFile where a page is gone.
    """
    if crawl.library is None:
        raise ValueError("a crawl without a library cannot read its pages again")
    began = time.perf_counter()
    examples = await crawl.library.labelled(labels)
    now = crawl.topic
    topic = TopicModel(
        taught(crawl.first_topic, examples), now.vocabulary, now.seed, now.trained
    )
    fresh = type(crawl.strategy).build(crawl.strategy.values())
    quality = await asyncio.to_thread(_train, fresh, crawl.topic, topic)
    guiding = fresh if fresh.reads_examples() else crawl.strategy
    agent = crawl.asker.robots.user_agent if crawl.asker.robots else None
    reader = Reader(topic, guiding, agent)
    seconds = time.perf_counter() - began
    return Lesson(
        tuple(labels), topic, guiding, reader, Ratings(reader, guiding), quality, seconds
    )


def _train(strategy: Strategy, before: TopicModel, topic: TopicModel) -> Quality:
    """Everything that takes long; what follows finds the models made."""
    if strategy.reads_examples():
        strategy.fit(topic)
    Reader(topic, strategy, None)
    return {"before": _quality(before), "after": _quality(topic)}


def taught(topic: Topic, labelled: Sequence[Example]) -> Topic:
    """The topic with labelled pages among its training examples; a label overrules an example.

    **Choice**: labelled pages that are off the topic together weigh what the other negative
    examples lack of the positive ones' weight, and a fiftieth of these where they lack nothing.
    They are pages that a crawl for the topic came by: hubs and neighbours, whose words are the
    topic's. At full weight they cost these words their meaning, and the crawl more than the other
    labels give it.
    """
    said = {example.url for example in labelled}
    kept = [e for e in topic.training if said.isdisjoint((e.url, e.document.url))]
    against = _weight(kept, False)
    room = max(HELD_BACK * against, _weight((*kept, *labelled), True) - against)
    share = min(1.0, room / max(1.0, _weight(labelled, False)))
    weighed = (e if e.relevant else replace(e, weight=share * e.weight) for e in labelled)
    return replace(topic, training=(*kept, *weighed))


def _weight(examples: Sequence[Example], relevant: bool) -> float:
    return sum(example.weight for example in examples if example.relevant == relevant)


def adopt(crawl: Crawl, lesson: Lesson) -> None:
    """The crawl goes on with the lesson's models; what its strategy has learned is not moved."""
    crawl.topic, crawl.labels = lesson.topic, lesson.labels
    crawl.strategy, crawl.reader = lesson.strategy, lesson.reader


async def relearn(crawl: Crawl, lesson: Lesson, payload: Mapping[str, Any]) -> EventRecord:
    """Lets a lesson take effect now, and records it; nothing may be applied to the crawl meanwhile.

    The event's payload is `payload` with `labels`, `rescored` (links), `reread` (pages),
    `seconds`, `training_seconds` and `quality`. Verdicts of pages fetched before stay as they were.
    """
    began = time.perf_counter()
    learned = crawl.strategy.state()
    adopt(crawl, lesson)
    rescored, reread = 0, 0
    if crawl.strategy.reads_examples():
        crawl.strategy.restore(learned)
        rescored, reread = await _score_anew(crawl, lesson)
    crawl.changes += 1
    return crawl.note(KIND, {
        **payload,
        "labels": list(lesson.labels),
        "rescored": rescored,
        "reread": reread,
        "seconds": round(time.perf_counter() - began, 3),
        "training_seconds": round(lesson.seconds, 3),
        "quality": lesson.quality,
    })


def _quality(topic: TopicModel) -> dict[str, Any] | None:
    """The guiding classifier's measures as plain values; None where it cannot be trained."""
    try:
        return asdict(guiding_quality(topic))
    except NeedsMissing:
        return None


async def _score_anew(crawl: Crawl, lesson: Lesson) -> tuple[int, int]:
    """How many links got a score, and how many pages were read again for it."""
    if crawl.strategy.scores == "urls":
        return _rank_anew(crawl), 0
    found, reread = await lesson.ratings.rate_rest(crawl)
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


