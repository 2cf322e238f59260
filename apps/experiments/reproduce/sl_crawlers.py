"""SL's crawlers over topics: topicality, status and diversity (SL §5–§7).

Topics are the second level of a web's labels with 500 pages or more below: 250 positive examples
that are the seeds, as many negatives; one SVM judges, trained on 250 and 250 others. In-links are
counted in the web itself. θ is the same for all topics, the median prediction over the pages of an
exploratory crawl of the first (SL note 7).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from apps.directories.splits import rule
from apps.engine.crawl.loop import Crawl
from apps.engine.crawl.plan import Plan
from apps.engine.evaluation.significance import Estimate, estimate
from apps.engine.intelligence.committee import Committee
from apps.engine.intelligence.strategies.adaptive_utility import AdaptiveUtility
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.strategies.full_page import FullPage
from apps.engine.intelligence.strategies.in_links import InLinks
from apps.engine.intelligence.strategies.utility import Utility
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.virtual_web import RecordedFetcher
from apps.experiments.reproduce.directory_protocol import (
    Course,
    crawl,
    inlink_counts,
    judge_of,
    pages_of,
    topics,
)
from apps.experiments.reproduce.hcla_protocol import RANDOM_SEED
from apps.experiments.reproduce.options import Options, Say
from apps.experiments.reproduce.parted_web import PartedWeb
from apps.experiments.reproduce.topic_means import Mean, chance, means, written

BASELINE = "utility_0.5"
Make = Callable[[float], Strategy]
CRAWLERS: Mapping[str, Make] = {
    **{f"utility_{a}": (lambda theta, a=a: Utility(alpha=a, theta_over="given", theta=theta))
       for a in (0.0, 0.25, 0.5, 0.75, 1.0)},
    **{f"adaptive_{d}": (
        lambda theta, d=d: AdaptiveUtility(delta=d, theta_over="given", theta=theta))
       for d in (0.6, 0.7, 0.8, 0.9)},
    "in_links": lambda theta: InLinks(theta_over="given", theta=theta),
    "linear_0.5": lambda theta: Utility(
        alpha=0.5, form="linear", theta_over="given", theta=theta),
}
PUBLISHED_ACCURACY, PUBLISHED_THETA = 78.14, 2.82


@dataclass(frozen=True, slots=True)
class SlCrawlers:
    """All figures of one web: p-values are two-tailed and paired, against constant α = .5.

    `accuracy` is the judges' on the crawlers' training examples, which they have not seen.
    """

    web: str
    topics: tuple[str, ...]
    theta: float
    accuracy: Estimate
    topicality: tuple[Mean, ...]
    status: tuple[Mean, ...]
    diversity: tuple[Mean, ...]

    def as_dict(self) -> dict[str, Any]:
        published = {"accuracy": PUBLISHED_ACCURACY, "theta": PUBLISHED_THETA}
        return {"table": "sl-crawlers", "published": published, **asdict(self)}

    def text(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{len(self.topics)} topics: {', '.join(self.topics)}"
        yield (f"θ {self.theta:.2f} (the paper: {PUBLISHED_THETA}); accuracy of the judges on "
               f"training examples {written(self.accuracy)} (the paper: .781±.007)")
        yield ""
        yield (f"{'crawler':16}{'topicality':16}{'p':8}{'status':16}{'p':8}{'Holm':8}"
               f"{'sites':16}after tenths of the crawl")
        for topical, status, sites in zip(
            self.topicality, self.status, self.diversity, strict=True
        ):
            course = " ".join(f"{value:.0f}" for value in sites.course)
            yield (f"{topical.crawler:16}{written(topical.end):16}{chance(topical.p):8}"
                   f"{written(status.end):16}{chance(status.p):8}{chance(status.holm):8}"
                   f"{written(sites.end):16}{course}")


def reproduce(web: PartedWeb, options: Options, say: Say) -> SlCrawlers:
    """Crawls every topic with every crawler; raises BadWebFile if the web has fewer than two
    topics."""
    chosen = {n: make for n, make in CRAWLERS.items()
              if not options.crawlers or n in {BASELINE, *options.crawlers}}
    pages = pages_of(options)
    given = topics(web, rule("sl"), options)
    say("counting in-links")
    inlinks = inlink_counts(web)
    told = [replace(each, topic=replace(each.topic, inlinks=inlinks)) for each in given]
    models = [TopicModel(each.topic, seed=RANDOM_SEED) for each in told]
    say("exploratory crawl")
    theta = explored_theta(web, models[0], pages)
    courses: list[Course] = []
    accuracies = []
    for each, model in zip(told, models, strict=True):
        judge = judge_of(each, model, "sl")
        accuracies.append(accuracy(judge, model))
        for name, make in chosen.items():
            say(f"{each.name}: {name}")
            courses.append(
                crawl(web, each, model, name, make(theta), judge, pages, inlinks))
    return SlCrawlers(
        options.web_name, tuple(each.name for each in told), theta, estimate(accuracies),
        means(courses, "harvest_rate", BASELINE, "two"),
        means(courses, "average_status", BASELINE, "two"),
        means(courses, "diversity", BASELINE, "two"),
    )


def accuracy(judge: Committee, model: TopicModel) -> float:
    """The share of the crawler's training examples that the judge classifies correctly."""
    called = [verdict.relevant for verdict in judge.judge(model.rows())]
    return float(np.mean(np.array(called) == model.labels()))


def explored_theta(web: PartedWeb, model: TopicModel, pages: int) -> float:
    """The median prediction of ln(1 + in-links) over the pages of a full-page crawl."""
    plan = Plan(pages, 5 * pages, politeness=Politeness(delay=0.0), recorded=True)
    engine = Crawl(plan, model, FullPage(), RecordedFetcher(web.web))

    async def run() -> list[float]:
        engine.start()
        return [page.status_log async for batch in engine.run() for page in batch.pages
                if page.status_log is not None]

    return float(np.median(asyncio.run(run())))
