"""The value of labels: crawls by the learner, of which a simulated person labels pages."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from apps.crawls.commands.catalogue import engine_changes
from apps.crawls.commands.labelling.label_effects import HEEDED
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.relearning.library import FetchedPage, PackedPage
from apps.engine.crawl.relearning.proposing import Candidate, propose
from apps.engine.crawl.retraining import apply_lesson, prepare_lesson
from apps.engine.events import PageRecord
from apps.engine.intelligence.classifying.calibration import logistic
from apps.engine.intelligence.evidence.page_labels import LABEL_CHANCE
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Judgement, Longs, Visit
from apps.engine.replays.parsed_web import ParsedWeb
from apps.engine.topics import Example, Topic
from apps.experiments.cells.assembly import plan_of
from apps.experiments.cells.running import event_loop
from apps.experiments.design.variants import Variant
from apps.research.effectiveness.crawling import DEFAULT_POLICY, CrawlStudy, StudiedTopic
from apps.research.effectiveness.labels.result import ArmResult, Setting
from apps.research.effectiveness.schema import LearnerWeights
from apps.research.effectiveness.weighed_learner import Memory, WeighedLearner
from apps.topics.inputs.sampled_negatives import MOST, added_examples

UNSURE = 0.5
CHANGE = 0.1
"""The standard deviation of what is added to the log-odds of links, so that crawls differ."""
Pick = Callable[[Sequence[Candidate], int, random.Random], Sequence[Candidate]]


def proposed(candidates: Sequence[Candidate], count: int, chance: random.Random) -> Any:
    """The pages that the product proposes."""
    return propose(candidates, count)


def at_random(candidates: Sequence[Candidate], count: int, chance: random.Random) -> Any:
    return chance.sample(candidates, min(count, len(candidates)))


def unsure_first(candidates: Sequence[Candidate], count: int, chance: random.Random) -> Any:
    """The pages nearest to an even chance."""
    return sorted(candidates, key=lambda each: abs(each.chance - UNSURE))[:count]


@dataclass(frozen=True, slots=True)
class Arm:
    """One way to crawl: without labels if it has no `pick`; `wrong` is the share of wrong ones.

    With `knows` every page counts by its true label, those that are fetched later as well, and no
    model is trained again: what labels can give by the verdicts of pages alone.
    """

    name: str
    pick: Pick | None = None
    wrong: float = 0.0
    strategy: str = ""
    knows: bool = False


NO_LABELS = "no labels"
PROPOSED = "proposed"
RANDOM = "random"
EVERY_PAGE = "every page"
BREADTH_FIRST = "breadth-first"
ARMS = (
    Arm(NO_LABELS),
    Arm(EVERY_PAGE, at_random, knows=True),
    Arm(PROPOSED, proposed),
    Arm("proposed, 10 % wrong", proposed, 0.1),
    Arm(RANDOM, at_random),
    Arm("unsure first", unsure_first),
)
SETTINGS = {
    "full": Setting(at=100, labels=30),
    "weak": Setting(at=50, labels=15, positives=3),
}


def arms_of(setting: Setting) -> tuple[Arm, ...]:
    """The arms that are run in a setting; weak topics are crawled breadth-first as well."""
    plain = Arm(BREADTH_FIRST, strategy="breadth_first")
    return ARMS if setting.positives is None else (plain, *ARMS)


def run_arm(
    study: CrawlStudy, setting: Setting, arm: Arm, topics: Sequence[StudiedTopic], repeats: int = 1
) -> ArmResult:
    """The targets that an arm finds of each topic, as a mean over repetitions.

    One changed link may lead a crawl elsewhere for good. So the learner crawls each topic several
    times: as it is, and with small random changes to the log-odds of links, which are the same in
    all arms. Other strategies crawl once.
    """
    turns = range(1 if arm.strategy else repeats)
    bar = tqdm([*product(topics, turns)], desc=arm.name, unit="crawl", leave=False)
    crawls = [_LabelledCrawl(study, setting, arm, *each).run() for each in bar]
    counts = [
        (len(targets), sum(seq > setting.at for seq in targets), yes) for targets, yes in crawls
    ]
    means = np.array(counts, float).reshape(len(topics), len(turns), 3).mean(axis=1).round(2)
    targets, after, positives = (tuple(column) for column in means.T.tolist())
    return ArmResult(targets=targets, after=after, positives=positives)


def topics_of(study: CrawlStudy, setting: Setting) -> Sequence[StudiedTopic]:
    """The study's topics, or the same with few positives and drawn negatives."""
    if setting.positives is None:
        return study.topics
    return [_weak(topic, setting.positives) for topic in study.topics]


@dataclass(frozen=True, slots=True)
class WeakTopic(StudiedTopic):
    """A topic of which little is given; `truth` is all that is relevant."""

    truth: frozenset[str] = frozenset()

    @property
    def relevant(self) -> frozenset[str]:
        return self.truth


def _weak(topic: StudiedTopic, positives: int) -> WeakTopic:
    whole = topic.model.topic
    few = [each for each in whole.training if each.relevant][:positives]
    texts = list(whole.background_texts)
    numbers = random.Random(topic.name).sample(range(len(texts)), min(MOST, len(texts)))
    added = added_examples(whole, ((number, texts[number]) for number in numbers))
    given: Topic = replace(whole, training=(*few, *added), seeds=tuple(each.url for each in few))
    model = TopicModel(given, seed=topic.model.seed, trained=topic.model.trained)
    return WeakTopic(topic.name, model, truth=topic.relevant)


class _Learner(WeighedLearner):
    """The learner; what it reads is remembered until labels train another."""

    id = "learner"

    def __init__(self, memory: Memory, repeat: int) -> None:
        super().__init__(LearnerWeights(name="learner"), memory)
        self._repeat = repeat

    @classmethod
    def build(cls, values: Mapping[str, Any] | None = None) -> Self:
        return cls({}, **(values or {}))

    def values(self) -> dict[str, Any]:
        return {"repeat": self._repeat}

    def _chances(self, urls: Longs, parts: NDArray[np.float64]) -> Floats:
        odds = self._odds(parts)
        if self._repeat:
            odds = odds + _changes(self._repeat, int(urls.max(initial=0)).bit_length())[urls]
        return logistic(odds)


@cache
def _changes(repeat: int, bits: int) -> Floats:
    """The noise that a repetition adds to the log-odds of the first 2^bits URLs; more bits add
    URLs."""
    drawn: Floats = CHANGE * np.random.default_rng(repeat).standard_normal(2**bits)
    return drawn


class _Knowing(_Learner):
    """The learner whose judgement of every page after `after` is the truth."""

    def __init__(self, topic: StudiedTopic, repeat: int, after: int) -> None:
        super().__init__(topic.memory, repeat)
        self._relevant, self._after = topic.relevant, after

    def judge(self, visit: Visit) -> Judgement:
        if visit.number <= self._after:
            return super().judge(visit)
        return Judgement(
            topicality=LABEL_CHANCE if visit.url in self._relevant else 1 - LABEL_CHANCE
        )


@dataclass(slots=True)
class WebLibrary:
    """The pages of a crawl of a parsed web; labels are numbered in the order given."""

    web: ParsedWeb
    pages_of: dict[int, PageRecord] = field(default_factory=dict)
    labels: list[tuple[str, bool]] = field(default_factory=list)

    async def labelled_examples(self, labels: Sequence[int]) -> tuple[Example, ...]:
        labelled = [self.labels[label] for label in labels]
        documents = ((url, self.web.document(url), yes) for url, yes in labelled)
        return tuple(Example(url, page, yes) for url, page, yes in documents if page is not None)

    async def packed_pages(self, numbers: Sequence[int]) -> Sequence[PackedPage]:
        return []

    async def pages(self, numbers: Sequence[int]) -> AsyncIterator[FetchedPage]:
        fetcher = self.web.fetcher()
        for number in numbers:
            page = self.pages_of[number]
            yield FetchedPage(number, page.seq, await fetcher.fetch(page.answer.final_url))


class _LabelledCrawl:
    """One crawl of a topic by one arm."""

    def __init__(
        self, study: CrawlStudy, setting: Setting, arm: Arm, topic: StudiedTopic, repeat: int
    ) -> None:
        plan = plan_of(study.design, Variant("", {}, DEFAULT_POLICY))
        self._setting, self._arm, self._topic = setting, arm, topic
        self._library = WebLibrary(study.web)
        guide: Strategy = _Learner(topic.memory, repeat)
        if arm.strategy:
            guide = strategy(arm.strategy).build({})
        if arm.knows:
            guide = _Knowing(topic, repeat, setting.at)
        self._crawl = CrawlLoop(
            replace(plan, budget=setting.at),
            topic.model.for_another_crawl(),
            guide,
            study.web.fetcher(),
            library=self._library,
            change_kinds=engine_changes(),
        )
        self._pages = plan.budget
        self._targets: list[int] = []

    def run(self) -> tuple[list[int], int]:
        """The numbers of the pages that are targets, and how many labels are positive."""
        self._crawl.start()
        with event_loop() as loop:
            loop.run_until_complete(self._go_on())
            if self._arm.pick is not None:
                self._label(loop, self._arm.pick)
            self._crawl.limits.budget = self._pages
            loop.run_until_complete(self._go_on())
        return self._targets, sum(yes for _, yes in self._library.labels)

    async def _go_on(self) -> None:
        async for batch in self._crawl.run():
            for page in batch.pages:
                self._library.pages_of[page.number] = page
                if page.target:
                    self._targets.append(page.seq)

    def _label(self, loop: asyncio.AbstractEventLoop, pick: Pick) -> None:
        """Labels count at once, and the models are trained again, as in the product."""
        person = random.Random(self._topic.name)
        pages = {page.seq: page for page in self._library.pages_of.values()}
        count = len(pages) if self._arm.knows else self._setting.labels
        for each in pick(self._candidates(), count, person):
            page = pages[each.page]
            url = page.answer.final_url
            is_wrong = person.random() < self._arm.wrong
            relevant = (url in self._topic.relevant) != is_wrong
            self._library.labels.append((url, relevant))
            self._crawl.change(HEEDED, {"labels": [(page.seq, page.number, url, relevant)]})
        if self._arm.knows:
            return
        numbers = list(range(len(self._library.labels)))
        lesson = loop.run_until_complete(prepare_lesson(self._crawl, numbers))
        loop.run_until_complete(apply_lesson(self._crawl, lesson, {}))

    def _candidates(self) -> list[Candidate]:
        examples = {each.url for each in self._topic.model.topic.training}
        waiting = set(self._crawl.frontier.waiting_numbers().tolist())
        return [
            Candidate(
                page.seq, page.topicality or 0.0, len(waiting.intersection(page.outlinks.tolist()))
            )
            for page in self._library.pages_of.values()
            if page.answer.final_url not in examples
        ]
