"""Experiments on the made web, their cells run in this very process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.contrib.auth.models import User

from apps.experiments.design.schema import Design
from apps.experiments.models import Cell, Experiment, Preparation
from apps.experiments.services import create_experiment, start
from apps.topics import tasks
from apps.topics.definition.schemas import Definition
from apps.topics.models import Topic
from apps.topics.services import create_topic
from apps.webs.models import Web
from tests.background import work_on
from tests.crawls.run_here import MADE
from tests.made_once import made_once

BREAD = [MADE.url(i) for i in range(0, MADE.count, 4)]
STARS = [MADE.url(i) for i in range(MADE.count) if i % 4]


def part_of_bread(owner: User, web: Web, number: int) -> Topic:
    """A topic of some pages of bread, others for each number; its judge has still others."""
    pages = BREAD[number * 9 :] + BREAD[: number * 9]
    definition = Definition(
        name=f"bread {number}",
        keywords=("dough", "flour"),
        language="en",
        web_id=web.pk,
        web_label="bread",
        lists={
            "seeds": "\n".join(pages[:3]),
            "positives": "\n".join(pages[:8]),
            "negatives": "\n".join(STARS[number * 10 : number * 10 + 12]),
            "evaluation_positives": "\n".join(pages[8:14]),
            "evaluation_negatives": "\n".join(STARS[-8:]),
            "targets": "\n".join(pages[20:40]),
        },
    )

    def make() -> Topic:
        saved = create_topic(owner, definition)
        tasks.run_here(saved.topic)
        return saved.topic

    return made_once(("part of bread", web.pk, number), make, owner)


def design(**values: Any) -> Design:
    """Full page and breadth first on two topics of the made web, 40 pages each."""
    given: Mapping[str, Any] = {
        "name": "Two crawlers",
        "web": "made",
        "topics": ["bread 0", "bread 1"],
        "crawlers": [{"strategy": "full_page"}, {"strategy": "breadth_first"}],
        "pages": 40,
        **values,
    }
    return Design.read(given)


def started(owner: User, **values: Any) -> Experiment:
    """Such an experiment, its first cells queued."""
    experiment = create_experiment(owner, design(**values))
    start(experiment)
    return prepared(experiment)


def prepared(experiment: Experiment) -> Experiment:
    """The experiment after a worker has frozen its topics."""
    work_on(experiment.preparation)
    experiment.refresh_from_db()
    return experiment


def ended(owner: User, **values: Any) -> Experiment:
    """Such an experiment whose cells have all been run; its topics are as they were made."""
    chosen = tuple(Topic.objects.order_by("pk").values_list("pk", "web_id", "name"))
    return made_once(
        ("ended", chosen, repr(sorted(values.items()))),
        lambda: work_through(started(owner, **values)),
        owner,
    )


def queued(experiment: Experiment) -> Iterator[Cell]:
    """The cells that workers would take, in their order, until none is left."""
    while cell := experiment.cells.filter(job_state=Cell.State.WAITING).first():
        yield cell


def work_through(experiment: Experiment) -> Experiment:
    """Does what the workers would do until the experiment has ended."""
    for job in Preparation.objects.filter(experiment=experiment, job_state=Cell.State.WAITING):
        work_on(job)
    for cell in queued(experiment):
        work_on(cell)
    experiment.refresh_from_db()
    return experiment
