"""Rows of an experiment as its workers would leave them, without running a cell.

Its numbers are invented: a curve for each crawler and topic, a little better or worse than others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.contrib.auth.models import User
from django.utils import timezone

from apps.engine.intelligence.strategies import strategy
from apps.experiments.cells import result
from apps.experiments.cells.result import FLAGS, FLOATS, LONGS, CellResult, Pages
from apps.experiments.design.labels import crawler_labels
from apps.experiments.folder import result_path
from apps.experiments.models import Cell, Experiment, ExperimentCrawler, ExperimentTopic
from apps.topics.models import Topic
from apps.webs.models import Web

STRATEGIES = ("full_page", "text_window_combo", "breadth_first")


def made_experiment(
    owner: User,
    topics: int = 2,
    strategies: Sequence[str] = STRATEGIES,
    state: str = Experiment.State.RUNNING,
    names: Sequence[str] = (),
    **design: Any,
) -> Experiment:
    """An experiment on a recorded web, all its cells waiting; `names` are those of its topics."""
    values = {
        "name": "Strategies on meadow",
        "web": "meadow",
        "pages": 100,
        "at": 50,
        "topics": [*names] or [f"Topic {n}" for n in range(1, topics + 1)],
        "crawlers": [{"strategy": name} for name in strategies],
        **design,
    }
    web, _ = Web.objects.get_or_create(
        name=values["web"], source=Web.Source.FOLDER, defaults={"folder": "meadow", "pages": 1200}
    )
    started = None if state == Experiment.State.DRAFT else timezone.now()
    experiment = Experiment.objects.create(
        owner=owner, name=values["name"], web=web, design=values, state=state, started_at=started
    )
    for position, name in enumerate(values["topics"]):
        topic, _ = Topic.objects.get_or_create(owner=owner, name=name, defaults={"web": web})
        ExperimentTopic.objects.create(
            experiment=experiment,
            topic=topic,
            name=name,
            targets=40,
            position=position,
            judged_by="committee",
        )
    rows = [
        ExperimentCrawler(
            experiment=experiment,
            position=position,
            strategy=each["strategy"],
            parameters=strategy(each["strategy"]).build(each.get("parameters", {})).values(),
        )
        for position, each in enumerate(values["crawlers"])
    ]
    for row, label in zip(rows, crawler_labels(rows), strict=True):
        row.label = label
        row.save()
    for topic in experiment.topics.all():
        for repetition in range(1, values.get("repetitions", 1) + 1):
            for crawler in rows:
                Cell.objects.create(
                    experiment=experiment,
                    topic=topic,
                    crawler=crawler,
                    repetition=repetition,
                    random_seed=repetition,
                )
    return experiment


def finish(experiment: Experiment) -> Experiment:
    """Ends all its cells, and it."""
    for cell in experiment.cells.select_related("topic", "crawler"):
        end(cell)
    experiment.state, experiment.ended_at = Experiment.State.FINISHED, timezone.now()
    experiment.save()
    return experiment


def end(cell: Cell, **metrics: float) -> Cell:
    """Ends a cell with the values of `curves` at its end, or those given."""
    pages = cell.experiment.design["pages"]
    drawn = curves(cell, pages)
    last = {name: float(values[-1]) for name, values in drawn.items()} | metrics
    at = np.arange(10, pages + 1, 10, dtype=np.int64)
    result.write(result_path(cell), CellResult(made_pages(cell, pages), at, drawn))
    Cell.objects.filter(pk=cell.pk).update(
        job_state=Cell.State.DONE,
        pages=pages,
        requests=pages,
        metrics=last,
        seconds=2.0,
        cpu_seconds=0.004 * pages,
        digest=f"{cell.pk:064x}",
        reason="budget_reached",
    )
    cell.refresh_from_db()
    return cell


def fail(cell: Cell, reason: str = "worker_lost", problem: str = "Its worker was lost.") -> Cell:
    """Makes a cell fail at page 30."""
    Cell.objects.filter(pk=cell.pk).update(
        job_state=Cell.State.FAILED, pages=30, reason=reason, job_problem=problem
    )
    cell.refresh_from_db()
    return cell


def curves(cell: Cell, pages: int) -> Mapping[str, np.ndarray]:
    """Recall that rises and harvest that falls, for some crawlers and topics more than others."""
    draw = np.random.default_rng(cell.topic.position * 100 + cell.crawler.position)
    level = 0.55 + 0.1 * np.sin(cell.topic.position) + 0.04 * np.sin(2 * cell.crawler.position)
    level += 0.03 * draw.standard_normal()
    along = np.arange(10, pages + 1, 10) / pages
    return {
        "target_recall": np.clip(level * along**0.6, 0, 1),
        "harvest_rate": np.clip(0.9 - (1 - level) * along**0.4, 0, 1),
        "average_status_estimated": 2 + level * along,
        "mean_tau": 0.5 + 0.3 * level * along,
        "diversity": np.round(60 * along * level),
        "targets_found": np.round(40 * level * along),
    }


def made_pages(cell: Cell, pages: int) -> Pages:
    """Pages of which some are those of every other crawler of the topic."""
    draw = np.random.default_rng(cell.pk)
    numbers = np.sort(draw.choice(2 * pages, pages, replace=False))
    unknown = {
        **{name: np.full(pages, np.nan) for name in FLOATS},
        **{name: np.full(pages, -1, np.int64) for name in LONGS},
    }
    unknown["topicality"] = draw.beta(0.6, 0.6, pages)
    unknown["probability"] = draw.beta(0.5, 0.5, pages)
    unknown["status"] = draw.beta(2, 2, pages)
    flags = {name: np.full(pages, -1, np.int8) for name in FLAGS}
    flags["relevant"] = (unknown["probability"] > 0.5).astype(np.int8)
    flags["seed"], flags["target"] = np.zeros(pages, np.int8), np.zeros(pages, np.int8)
    return Pages(tuple(f"http://meadow.test/{n}" for n in numbers), unknown, flags)
