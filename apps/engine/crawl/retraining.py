"""Retrains a crawl on the labels of its pages while it runs."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.relearning import lessons
from apps.engine.crawl.relearning.lessons import KIND, Lesson, Rescored, rescore_links
from apps.engine.crawl.relearning.library import Library
from apps.engine.events import EventRecord


async def prepare_lesson(crawl: CrawlLoop, labels: Sequence[int]) -> Lesson:
    """Trains on the labelled pages while the crawl goes on. Raises like `lessons.prepare`."""
    return await lessons.prepare(crawl.guide, _library(crawl), labels)


async def rate_ahead(crawl: CrawlLoop, lesson: Lesson) -> None:
    """Rates most fetched pages for a lesson. Raises ValueError without a library."""
    await lesson.rate_ahead(_library(crawl), crawl.frontier)


async def apply_lesson(crawl: CrawlLoop, lesson: Lesson, payload: Mapping[str, Any]) -> EventRecord:
    """Puts a lesson into effect and records it. No answer may be applied meanwhile.

    The event's payload is `payload` with `labels`, `rescored` (links), `reread` (pages),
    `seconds`, `training_seconds` and `quality`. The verdicts of earlier pages do not change.
    """
    began = time.perf_counter()
    learned = crawl.strategy.state()
    crawl.guide = lesson.guide
    done = Rescored(0, 0)
    if lesson.ratings is not None:
        crawl.strategy.restore(learned)
        done = await rescore_links(
            lesson.ratings, _library(crawl), crawl.frontier, pages=crawl.pages, now=crawl.clock()
        )
    crawl.changes += 1
    return crawl.note(
        KIND,
        {
            **payload,
            "labels": list(lesson.guide.labels),
            "rescored": done.links,
            "reread": done.reread,
            "seconds": round(time.perf_counter() - began, 3),
            "training_seconds": round(lesson.seconds, 3),
            "quality": lesson.quality,
        },
    )


def _library(crawl: CrawlLoop) -> Library:
    if crawl.library is None:
        raise ValueError("a crawl without a library cannot read its pages again")
    return crawl.library
