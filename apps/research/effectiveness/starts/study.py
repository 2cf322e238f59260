"""Crawls that start from little: a sentence and keywords, three pages, or four front pages."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from apps.crawls.commands.catalogue import engine_changes
from apps.crawls.commands.labelling.label_effects import HEEDED
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.retraining import apply_lesson, prepare_lesson
from apps.engine.events import PageRecord
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.parsing.words import words
from apps.engine.topics import Topic, VectorTable
from apps.experiments.cells.assembly import plan_of
from apps.experiments.cells.running import event_loop
from apps.experiments.design.variants import Variant
from apps.jobs.bar import progress_bar
from apps.research.effectiveness.crawling import DEFAULT_POLICY, CrawlStudy, StudiedTopic
from apps.research.effectiveness.labels.study import WebLibrary
from apps.research.effectiveness.reachable import ReachableLinks
from apps.research.effectiveness.starts.intervals import Intervals, intervals_of
from apps.research.effectiveness.starts.result import StartShares

FEW = 3
FRONT_PAGES, HUBS = 4, 20
LABELS_AT, LABELS = (50, 100, 150, 200), 10
LIST = 100
BREADTH_FIRST = "Breadth-first"
BY_WORDS = "Learner, by words"
BY_VECTORS = "Learner, by words and vectors"
EXAMPLES = "Learner, 20 + 40 examples"


@dataclass(frozen=True, slots=True)
class StartArm:
    """One crawler: with all of the topic's examples or only what the start gives, with or without
    word vectors, and with or without forty labels on the way."""

    name: str
    strategy: str
    has_examples: bool = False
    labels: bool = False
    vectors: bool = False

    @property
    def crawls_alike(self) -> bool:
        """Whether starts A and B, of the same seeds, are the same to it."""
        return self.has_examples or self.strategy == "breadth_first"


ARMS = (
    StartArm(BREADTH_FIRST, "breadth_first"),
    StartArm("Best-first", "best_first"),
    StartArm(BY_WORDS, "learner"),
    StartArm(f"{BY_WORDS}, 40 labels", "learner", labels=True),
    StartArm(BY_VECTORS, "learner", vectors=True),
    StartArm(f"{BY_VECTORS}, 40 labels", "learner", labels=True, vectors=True),
    StartArm(EXAMPLES, "learner", has_examples=True),
)
STARTS = {
    "A": "a sentence, keywords and three seeds on the topic",
    "B": "the same, and the three pages are examples",
    "C": "a sentence, keywords and four front pages off the topic as seeds",
}


class Starts:
    """The topics of a study, each given less than it has, and `vectors` to arms that use some."""

    def __init__(self, study: CrawlStudy, vectors: VectorTable | None = None) -> None:
        self._study, self._vectors = study, vectors
        self._links = ReachableLinks(study.web)
        by_links = sorted(study.web.urls(), key=lambda url: (-self._links.number(url), url))
        self._hubs = by_links

    def run(self, start: str, arm: StartArm) -> StartShares:
        """An arm's shares of each topic. Raises NeedsMissing if one lacks what the arm needs."""
        bar = progress_bar(self._study.topics, desc=f"{start} {arm.name}"[:40], unit="topic")
        shares = [self._crawl(topic, start, arm) for topic in bar]
        recall, precision, interval = zip(*shares, strict=True)
        return StartShares(
            recall=recall,
            precision=tuple(share for share in precision if share is not None),
            interval=tuple(each.holds for each in interval if each is not None),
            width=tuple(each.width for each in interval if each is not None),
        )

    def _crawl(
        self, topic: StudiedTopic, start: str, arm: StartArm
    ) -> tuple[float, float | None, Intervals | None]:
        seeds = self._seeds(topic, start)
        given = _reduce_topic(topic, start, seeds, arm, self._vectors)
        wanted = (self._links.reachable(seeds) & topic.relevant) - set(seeds)
        crawl = _StartedCrawl(self._study, topic, given, arm)
        pages = crawl.run()
        fetched = wanted & {page.answer.final_url for page in pages}
        recall = round(len(fetched) / max(len(wanted), 1), 4)
        if arm.strategy != "learner":
            return recall, None, None
        intervals = intervals_of(pages, topic.relevant, topic.name)
        return recall, crawl.precision(topic.relevant), intervals

    def _seeds(self, topic: StudiedTopic, start: str) -> tuple[str, ...]:
        if start != "C":
            return _few(topic)
        off = [url for url in self._hubs if url not in topic.relevant][:HUBS]
        return tuple(random.Random(topic.name).sample(off, min(FRONT_PAGES, len(off))))


def _few(topic: StudiedTopic) -> tuple[str, ...]:
    positives = (each.url for each in topic.model.topic.training if each.relevant)
    return tuple(positives)[:FEW]


def sentence_of(label: str) -> str:
    """The words of a label, without the name of its web in parentheses."""
    return f"Pages about {' '.join(words(re.sub(r' [(].*[)]$', '', label)))}."


def _reduce_topic(
    topic: StudiedTopic,
    start: str,
    seeds: Sequence[str],
    arm: StartArm,
    vectors: VectorTable | None = None,
) -> TopicModel:
    whole = topic.model.topic
    training = whole.training
    if not arm.has_examples:
        few = _few(topic) if start == "B" else ()
        training = tuple(each for each in training if each.url in few)
    given: Topic = replace(
        whole,
        description=sentence_of(topic.name),
        seeds=tuple(seeds),
        training=training,
        evaluation=(),
        vectors=vectors if arm.vectors else None,
    )
    return TopicModel(given, seed=topic.model.seed, trained=topic.model.trained)


class _StartedCrawl:
    """One crawl; a person who knows the truth labels four times ten pages, spread evenly over the
    likelier half."""

    def __init__(
        self, study: CrawlStudy, topic: StudiedTopic, given: TopicModel, arm: StartArm
    ) -> None:
        plan = plan_of(study.design, Variant("", {}, DEFAULT_POLICY))
        self._relevant, self._arm, self._pages = topic.relevant, arm, plan.budget
        self._library = WebLibrary(study.web)
        self._crawl = CrawlLoop(
            plan,
            given,
            strategy(arm.strategy).build({}),
            study.web.fetcher(),
            library=self._library,
            change_kinds=engine_changes(),
        )

    def run(self) -> list[PageRecord]:
        """The pages it fetched."""
        self._crawl.start()
        with event_loop() as loop:
            for at in LABELS_AT if self._arm.labels else ():
                self._crawl.limits.budget = min(at, self._pages)
                loop.run_until_complete(self._go_on())
                self._label(loop)
            self._crawl.limits.budget = self._pages
            loop.run_until_complete(self._go_on())
        return [*self._library.pages_of.values()]

    async def _go_on(self) -> None:
        async for batch in self._crawl.run():
            for page in batch.pages:
                self._library.pages_of[page.number] = page

    def _label(self, loop: asyncio.AbstractEventLoop) -> None:
        labelled = {url for url, _ in self._library.labels}
        free = [
            page
            for page in self._library.pages_of.values()
            if page.answer.final_url not in labelled
        ]
        free.sort(key=lambda page: (-(page.topicality or 0.0), page.seq))
        if not free:
            return
        positions = np.linspace(0, len(free) // 2, LABELS, endpoint=False).astype(int)
        for page in (free[i] for i in dict.fromkeys(positions.tolist())):
            url = page.answer.final_url
            yes = url in self._relevant
            self._library.labels.append((url, yes))
            self._crawl.change(HEEDED, {"labels": [(page.seq, page.number, url, yes)]})
        lesson = loop.run_until_complete(
            prepare_lesson(self._crawl, list(range(len(self._library.labels))))
        )
        loop.run_until_complete(apply_lesson(self._crawl, lesson, {}))

    def precision(self, relevant: frozenset[str]) -> float:
        """The share of relevant pages among the hundred likeliest at the end of the crawl, which
        come first in its collection."""
        at_end = self._crawl.strategy.topicality_at_end()
        chances = [
            (at_end.get(page.number, page.topicality or 0.0), page.answer.final_url)
            for page in self._library.pages_of.values()
        ]
        chances.sort(key=lambda pair: (-pair[0], pair[1]))
        right = sum(url in relevant for _, url in chances[:LIST])
        return round(right / max(len(chances[:LIST]), 1), 4)
