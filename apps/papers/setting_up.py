"""Makes the experiment of a protocol on a recorded web: its topics, its θ, its design."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.contrib.auth.models import User

from apps.directories.splits import rule
from apps.engine.codes import Need
from apps.engine.intelligence.strategies import strategy
from apps.experiments.models import Experiment
from apps.experiments.results.outcomes import outcomes
from apps.experiments.services import create_experiment
from apps.jobs import queue
from apps.papers.catalogue import design_of
from apps.papers.schema import NamedCrawler, PaperDesign, PaperProtocol, TopicsOfLabels
from apps.schemas.refused import Refused
from apps.topics.from_labels import Division, make_topics_of_labels
from apps.topics.inputs.relevant_set import want_target_pages
from apps.topics.models import InputPage, Topic
from apps.webs.links import count_links
from apps.webs.models import Web

FEWEST_TOPICS = 2
EXPLORER = NamedCrawler(name="Explorer", strategy="utility", parameters={"alpha": 1.0})
READS_LINKS = frozenset({Need.INLINKS, Need.BACKLINKS})
Run = Callable[[Experiment], None]


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes that replace the protocol's own: topics, pages of a crawl, URLs in each drawn part of a
    label, and the labels to take."""

    topics: int | None = None
    pages: int | None = None
    examples: int | None = None
    labels: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class PreparedTopics:
    """A protocol's topics on a web, and the settings they were made with."""

    owner: User
    web: Web
    id: str
    plan: PaperDesign
    topics: Sequence[Topic]
    settings: Mapping[str, Any]

    def explorer(self) -> Experiment:
        """The exploratory crawl of the first topic, as a draft."""
        alone = self.plan.model_copy(update={"crawlers": (EXPLORER,)})
        first = [self.topics[0].name]
        design = design_of(alone, "Exploratory crawl", self.web.name, first)
        return create_experiment(self.owner, design)

    def experiment(self, theta: float | None = None) -> Experiment:
        """The protocol's experiment as a draft; `theta` is that of its utility crawlers."""
        plan = self.plan if theta is None else _with_theta(self.plan, theta)
        names = [topic.name for topic in self.topics]
        return create_experiment(self.owner, design_of(plan, self.id, self.web.name, names))


def prepare(
    owner: User, web: Web, id: str, protocol: PaperProtocol, sizes: Sizes
) -> PreparedTopics:
    """Makes the protocol's topics on a web, whose examples are fetched in the background.

    Raises Refused if the web lacks labels, EngineError if it cannot be read.
    """
    plan = sized(protocol, sizes)
    needs = _needs(plan)
    if needs & READS_LINKS:
        count_links(web)
    topics = _topics(owner, web, plan, sizes.labels)
    if Need.BACKLINKS in needs:
        _want_backlinks(topics)
    settings: dict[str, Any] = {
        "pages": plan.pages,
        "examples": plan.topics.size,
        "random_seed": plan.random_seed,
    }
    return PreparedTopics(owner, web, id, plan, topics, settings)


def set_up(
    owner: User, web: Web, id: str, protocol: PaperProtocol, sizes: Sizes, run: Run
) -> tuple[Experiment, Mapping[str, Any]]:
    """The protocol's experiment as a draft, and the settings it was made with.

    `run` runs an experiment to its end; it is called for the exploratory crawl of protocols that
    have one. Raises Refused if the web lacks labels, EngineError if it cannot be read.
    """
    prepared = prepare(owner, web, id, protocol, sizes)
    if not prepared.plan.explores_theta:
        return prepared.experiment(), prepared.settings
    explorer = prepared.explorer()
    run(explorer)
    theta = theta_of(explorer)
    return prepared.experiment(theta), {**prepared.settings, "theta": theta}


def sized(protocol: PaperProtocol, sizes: Sizes) -> PaperDesign:
    """The plan with other sizes. Raises Refused for fewer pages than seeds."""
    plan = protocol.experiment
    assert plan is not None
    of_labels = plan.topics
    size = sizes.examples or of_labels.size or rule(of_labels.rule).size
    fewest = None if sizes.examples else of_labels.fewest
    of_labels = of_labels.model_copy(
        update={"size": size, "fewest": fewest, "most": sizes.topics or of_labels.most}
    )
    pages = sizes.pages or plan.pages
    if pages <= size:
        raise Refused("pages", f"The seeds alone are {size} pages: a crawl needs more than that.")
    return plan.model_copy(update={"topics": of_labels, "pages": pages})


def _needs(plan: PaperDesign) -> frozenset[Need]:
    built = (strategy(each.strategy).build(each.parameters) for each in plan.crawlers)
    return frozenset().union(*(each.needed() for each in built))


def _topics(owner: User, web: Web, plan: PaperDesign, labels: Sequence[str]) -> list[Topic]:
    """The topics of the web's labels; LC's judges learn from the pages of all targets, so these
    are wanted too (LC §6)."""
    how = division(plan.topics, web)
    topics = make_topics_of_labels(
        owner, web, labels, most=plan.topics.most, random_seed=plan.random_seed, division=how
    )
    if len(topics) < FEWEST_TOPICS:
        raise Refused(
            "web",
            f"{web.name} has no two labels of {how.fewest} to"
            f" {how.largest or 'half of its'} pages: choose another web, or give a"
            " smaller --examples.",
        )
    if plan.judge == "lc":
        for topic in topics:
            want_target_pages(topic)
    return topics


def _want_backlinks(topics: Sequence[Topic]) -> None:
    """Enqueues the scan for back-links of topics that were prepared before the web's links were
    counted."""
    for topic in topics:
        has_backlinks = topic.input_pages.filter(kind=InputPage.Kind.BACKLINK).exists()
        if not topic.is_under_way and not has_backlinks:
            queue.enqueue(topic, work_wanted=Topic.Work.SCANNING)


def division(wanted: TopicsOfLabels, web: Web) -> Division:
    """How the labels are divided; as in the papers, negatives have other labels."""
    how = rule(wanted.rule)
    size = wanted.size or how.size
    fewest = max(wanted.fewest or 0, how.least(size))
    return Division(
        how,
        size,
        fewest,
        wanted.largest,
        of_labels=True,
        title=f"{how.id.upper()} {size}, {web.name}",
    )


def theta_of(explorer: Experiment) -> float:
    """The median prediction of ln(1 + in-links) over the pages of an exploratory crawl that has
    ended. Raises Refused if it failed."""
    crawls = outcomes(explorer)
    if not crawls.cells:
        raise Refused("web", "The exploratory crawl failed: see its experiment.")
    logs = crawls.cells[0, 0][0].result.pages.numbers["status_log"]
    return round(float(np.nanmedian(logs)), 3)


def _with_theta(plan: PaperDesign, theta: float) -> PaperDesign:
    given = {"theta_over": "given", "theta": theta}
    return plan.model_copy(
        update={
            "crawlers": tuple(
                each.model_copy(update={"parameters": {**each.parameters, **given}})
                for each in plan.crawlers
            )
        }
    )
