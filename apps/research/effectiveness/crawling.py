"""Crawls of a study: without rows, by the engine alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.contrib.auth.models import User

from apps.engine.crawl.loop import CrawlLoop
from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking.fetcher import Fetcher
from apps.engine.replays.parsed_web import ParsedWeb
from apps.experiments.cells.assembly import plan_of, politeness_of, topic_model
from apps.experiments.cells.running import event_loop
from apps.experiments.design.labels import crawler_labels
from apps.experiments.design.schema import CrawlerDesign, Design
from apps.experiments.design.variants import Variant, variants
from apps.experiments.leaderboard import fitting_crawlers
from apps.experiments.models import Experiment, ExperimentCrawler
from apps.experiments.preparation import freeze_topics
from apps.experiments.services import create_experiment
from apps.jobs.bar import progress_bar
from apps.papers.tables.oracle import Oracle
from apps.research.effectiveness.schema import LearnerWeights, StudyPlan
from apps.research.effectiveness.strategies.result import Kind, WebResult
from apps.research.effectiveness.weighed_learner import Memory, WeighedLearner
from apps.topics.from_labels import LIKE_LC, Division, make_topics_of_labels
from apps.topics.models import Topic
from apps.webs.models import Web
from apps.webs.replays import open_parsed_web

LEARNER = "learner"
ORACLE = "Oracle"
DEFAULT_POLICY = "max"


@dataclass(frozen=True, slots=True)
class StudiedTopic:
    """A topic of the study; `memory` has what the learner read on its pages."""

    name: str
    model: TopicModel
    memory: Memory = field(default_factory=dict)

    @property
    def relevant(self) -> frozenset[str]:
        """The URLs that are on the topic."""
        own = (each.url for each in self.model.topic.training if each.relevant)
        return self.model.topic.targets | frozenset(own)


@dataclass(frozen=True, slots=True)
class StudiedCrawler:
    """One line of the study: how it is named, and its strategy for each topic."""

    name: str
    kind: Kind
    strategy: str
    make: Callable[[StudiedTopic], Strategy]
    parent_policy: str = DEFAULT_POLICY


def experiment_of(
    owner: User, web: Web, plan: StudyPlan, prepare: Callable[[Experiment], None]
) -> Experiment:
    """The draft whose topics the study crawls, each frozen with its inputs; made at the first call
    with that number of topics.

    `prepare` fetches the examples of its topics. Raises Refused, BadWebFile.
    """
    return frozen_experiment(
        owner, web, plan, prepare, title="Effectiveness", crawlers=fitting_crawlers
    )


def frozen_experiment(
    owner: User,
    web: Web,
    plan: StudyPlan,
    prepare: Callable[[Experiment], None],
    *,
    title: str,
    crawlers: Callable[[Sequence[Topic]], tuple[CrawlerDesign, ...]],
) -> Experiment:
    """The draft of this title; its topics are frozen with what `crawlers` need."""
    name = f"{title}, {plan.topics} topics of {web.name}"[:120]
    experiment = Experiment.objects.filter(owner=owner, web=web, name=name).first()
    if experiment is None:
        topics = make_topics_of_labels(
            owner, web, most=plan.topics, random_seed=plan.random_seed, division=_division(web)
        )
        design = Design(
            name=name,
            web=web.name,
            topics=tuple(topic.name for topic in topics),
            crawlers=crawlers(topics),
            pages=plan.pages,
            random_seed=plan.random_seed,
        )
        experiment = create_experiment(owner, design)
    if experiment.topics.filter(snapshot=None).exists():
        prepare(experiment)
        freeze_topics(experiment)
    return experiment


def _division(web: Web) -> Division:
    """Topics of a demo web bear its name: all demo webs have the same labels."""
    return replace(LIKE_LC, title=web.name) if web.source == Web.Source.DEMO else LIKE_LC


def _name_in_results(name: str, web: Web) -> str:
    """A topic's name, the same whatever other webs have topics: only those of demo webs bear the
    name of theirs."""
    is_demo = web.source == Web.Source.DEMO
    return name if is_demo else name.removesuffix(f" ({web.name})")


def crawlers_of(experiment: Experiment, plan: StudyPlan) -> Iterator[StudiedCrawler]:
    """All crawlers of a study; the one that the others are compared with comes first."""
    yield StudiedCrawler(ORACLE, "bound", "", lambda topic: Oracle(topic.relevant))
    for each in plan.candidates:
        yield _weighed(each, "candidate")
    yield from _strategies(experiment, plan)
    for each in plan.ablations:
        yield _weighed(each, "ablation")


def _weighed(weighting: LearnerWeights, kind: Kind) -> StudiedCrawler:
    return StudiedCrawler(
        weighting.name, kind, LEARNER, lambda topic: WeighedLearner(weighting, topic.memory)
    )


def _strategies(experiment: Experiment, plan: StudyPlan) -> Iterator[StudiedCrawler]:
    """The catalogue without the learner; strategies of which the plan has variants come first."""
    own = Design.read(experiment.design).crawlers
    design = Design(name="all", web=experiment.web.name, crawlers=(*own, *plan.crawlers))
    crawlers = [each for each in variants(design) if each.strategy != LEARNER]
    several = {each.strategy for each in plan.crawlers}
    crawlers.sort(key=lambda each: each.strategy not in several)
    for variant, name in zip(crawlers, _names(crawlers), strict=True):
        yield StudiedCrawler(
            name, "strategy", variant.strategy, _builder(variant), variant.parent_policy
        )


def _names(crawlers: Sequence[Variant]) -> Sequence[str]:
    return crawler_labels(
        [
            ExperimentCrawler(
                strategy=each.strategy,
                parameters=dict(each.parameters),
                parent_policy=each.parent_policy,
            )
            for each in crawlers
        ]
    )


def _builder(variant: Variant) -> Callable[[StudiedTopic], Strategy]:
    return lambda topic: variant.build()


class CrawlStudy:
    """The topics of an experiment, crawled by one crawler after the other; with `main_text` their
    pages are judged by their main text."""

    def __init__(self, experiment: Experiment, plan: StudyPlan, main_text: bool = False) -> None:
        self.design = Design.read(experiment.design).model_copy(update={"pages": plan.pages})
        self._page_bytes = politeness_of(self.design, experiment.web).page_bytes
        self.web: ParsedWeb = open_parsed_web(experiment.web, self._page_bytes)
        self.topics = [
            StudiedTopic(
                _name_in_results(row.name, experiment.web),
                topic_model(row, plan.random_seed, main_text),
            )
            for row in experiment.topics.all()
        ]
        self._main_text = main_text

    def fetcher(self) -> Fetcher:
        """A fetcher for one crawl, with the bodies of pages if their main text is read."""
        return self.web.body_fetcher() if self._main_text else self.web.fetcher()

    def empty(self, web: str, command: str) -> WebResult:
        """A result without crawlers."""
        return WebResult(
            web=web,
            command=command,
            pages=self.design.pages,
            topics=tuple(topic.name for topic in self.topics),
            targets=tuple(len(topic.model.topic.targets) for topic in self.topics),
        )

    def recall(self, crawler: StudiedCrawler) -> list[float] | None:
        """Its recall of each topic's targets; None if a topic lacks what the strategy needs."""
        bar = progress_bar(self.topics, desc=crawler.name[:40], unit="topic", leave=False)
        try:
            return [self._recall(crawler, topic) for topic in bar]
        except NeedsMissing:
            return None

    def _recall(self, crawler: StudiedCrawler, topic: StudiedTopic) -> float:
        plan = plan_of(self.design, Variant("", {}, crawler.parent_policy))
        crawl = CrawlLoop(
            plan, topic.model.for_another_crawl(), crawler.make(topic), self.fetcher()
        )
        crawl.start()
        targets = topic.model.topic.targets
        with event_loop() as loop:
            reached = loop.run_until_complete(_targets(crawl))
        return len(reached) / max(len(targets), 1)


async def _targets(crawl: Any) -> set[str]:
    """The targets that a crawl finds."""
    return {
        page.answer.final_url async for batch in crawl.run() for page in batch.pages if page.target
    }
