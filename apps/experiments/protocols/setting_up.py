"""Makes the experiment of a protocol on a recorded web: its topics, its θ, its design."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.contrib.auth.models import AbstractUser

from apps.directories.splits import rule
from apps.engine.codes import Need
from apps.engine.intelligence.strategies import strategy
from apps.experiments.models import Experiment
from apps.experiments.outcomes import outcomes
from apps.experiments.protocols.catalogue import design_of
from apps.experiments.protocols.schema import NamedCrawler, PaperProtocol, Plan, TopicsOfLabels
from apps.experiments.services import create_experiment
from apps.jobs import queue
from apps.schemas.input import Refused
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
    """What is asked for instead of the protocol's own numbers: topics, pages of a crawl, URLs in
    each drawn part of a label, and the labels to take."""

    topics: int | None = None
    pages: int | None = None
    examples: int | None = None
    labels: Sequence[str] = ()


def set_up(
    owner: AbstractUser, web: Web, id: str, protocol: PaperProtocol, sizes: Sizes, run: Run
) -> tuple[Experiment, Mapping[str, Any]]:
    """The protocol's experiment as a draft, and the settings it was made with.

    `run` runs an experiment to its end; it is called for the exploratory crawl of protocols that
    have one. Raises Refused if the web lacks labels, EngineError if it cannot be read.
    """
    plan = _sized(protocol, sizes)
    needs = _needs(plan)
    if needs & READS_LINKS:
        count_links(web)
    topics = _topics(owner, web, plan, sizes.labels)
    if Need.BACKLINKS in needs:
        _want_backlinks(topics)
    settings: dict[str, Any] = {
        "pages": plan.pages, "examples": plan.topics.size, "random_seed": plan.random_seed}
    names = [topic.name for topic in topics]
    if plan.explores_theta:
        settings["theta"] = _explored_theta(owner, web, plan, names[0], run)
        plan = _with_theta(plan, settings["theta"])
    return create_experiment(owner, design_of(plan, id, web.name, names)), settings


def _sized(protocol: PaperProtocol, sizes: Sizes) -> Plan:
    plan = protocol.experiment
    assert plan is not None
    of_labels = plan.topics
    size = sizes.examples or of_labels.size or rule(of_labels.rule).size
    fewest = None if sizes.examples else of_labels.fewest
    of_labels = of_labels.model_copy(
        update={"size": size, "fewest": fewest, "most": sizes.topics or of_labels.most})
    pages = sizes.pages or plan.pages
    if pages <= size:
        raise Refused("pages", f"The seeds alone are {size} pages: a crawl needs more than that.")
    return plan.model_copy(update={"topics": of_labels, "pages": pages})


def _needs(plan: Plan) -> frozenset[Need]:
    built = (strategy(each.strategy).build(each.parameters) for each in plan.crawlers)
    return frozenset().union(*(each.needed() for each in built))


def _topics(
    owner: AbstractUser, web: Web, plan: Plan, labels: Sequence[str]
) -> list[Topic]:
    """The topics of the web's labels; LC's judges learn from the pages of all targets, so these
    are wanted too (LC §6)."""
    how = division(plan.topics, web)
    topics = make_topics_of_labels(
        owner, web, labels, most=plan.topics.most, random_seed=plan.random_seed, division=how)
    if len(topics) < FEWEST_TOPICS:
        raise Refused("web", f"{web.name} has no two labels of {how.fewest} to"
                      f" {how.largest or 'half of its'} pages: choose another web, or give a"
                      " smaller --examples.")
    if plan.judge == "lc":
        for topic in topics:
            want_target_pages(topic)
    return topics


def _want_backlinks(topics: Sequence[Topic]) -> None:
    """Has topics that were prepared before the web's links were counted scanned for back-links."""
    for topic in topics:
        found = topic.input_pages.filter(kind=InputPage.Kind.BACKLINK).exists()
        if not topic.is_under_way and not found:
            queue.enqueue(topic, work_wanted=Topic.Work.SCANNING)


def division(wanted: TopicsOfLabels, web: Web) -> Division:
    """How the labels are divided; as in the papers, negatives have other labels."""
    how = rule(wanted.rule)
    size = wanted.size or how.size
    fewest = max(wanted.fewest or 0, how.least(size))
    return Division(how, size, fewest, wanted.largest, of_labels=True,
                    title=f"{how.id.upper()} {size}, {web.name}")


def _explored_theta(
    owner: AbstractUser, web: Web, plan: Plan, topic: str, run: Run
) -> float:
    """The median prediction of ln(1 + in-links) over the pages of a topical crawl of one topic."""
    alone = plan.model_copy(update={"crawlers": (EXPLORER,)})
    experiment = create_experiment(
        owner, design_of(alone, "Exploratory crawl", web.name, [topic]))
    run(experiment)
    found = outcomes(experiment)
    if not found.cells:
        raise Refused("web", "The exploratory crawl failed: see its experiment.")
    logs = found.cells[0, 0][0].result.pages.numbers["status_log"]
    return round(float(np.nanmedian(logs)), 3)


def _with_theta(plan: Plan, theta: float) -> Plan:
    given = {"theta_over": "given", "theta": theta}
    return plan.model_copy(update={"crawlers": tuple(
        each.model_copy(update={"parameters": {**each.parameters, **given}})
        for each in plan.crawlers
    )})  # fmt: skip
