"""An experiment and its cells as plain values, for the API and commands."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from apps.crawls.measures.estimates import shown_metrics
from apps.experiments.design.schema import Design
from apps.experiments.models import Cell, Experiment, Preparation
from apps.experiments.progress import progress
from apps.experiments.recipe import same_numbers


def summary(experiment: Experiment) -> dict[str, Any]:
    """The experiment, its design and its progress; unknown values are None."""
    design = Design.read(experiment.design)
    same = same_numbers(experiment)
    return {
        "experiment": experiment.pk,
        "name": experiment.name,
        "note": experiment.note,
        "state": experiment.state,
        "web": experiment.web.name,
        "topics": [
            {"name": row.name, "targets": row.targets, "judged_by": row.judged_by or None}
            for row in experiment.topics.defer("inputs")
        ],
        "crawlers": [
            {
                "label": row.label,
                "strategy": row.strategy,
                "parameters": row.parameters,
                "parent_policy": row.parent_policy,
            }
            for row in experiment.crawlers.all()
        ],
        "baseline": design.baseline,
        "measure": design.measure,
        "at": design.moment,
        "pages": design.pages,
        "repetitions": design.repetitions,
        "random_seed": design.random_seed,
        "judge": design.judge,
        "hold_out": design.hold_out,
        "preparation": _preparation(experiment),
        "progress": asdict(progress(experiment)),
        "same_as_recipe": None if same is None else {"same": same[0], "of": same[1]},
        "created_at": experiment.created_at.isoformat(),
        "started_at": _time(experiment.started_at),
        "ended_at": _time(experiment.ended_at),
    }


def _preparation(experiment: Experiment) -> dict[str, int] | None:
    """How many topics are frozen so far; None if none is being frozen."""
    job = Preparation.objects.filter(experiment=experiment).first()
    if job is None or not job.is_under_way:
        return None
    return {"topics": job.topics, "prepared": job.prepared}


def cell_summary(cell: Cell) -> dict[str, Any]:
    """One cell: its state, and the last value of each measure."""
    return {
        "cell": cell.pk,
        "topic": cell.topic.name,
        "crawler": cell.crawler.label,
        "repetition": cell.repetition,
        "random_seed": cell.random_seed,
        "state": cell.job_state or "waiting",
        "reason": cell.reason or None,
        "problem": cell.job_problem or None,
        "pages": cell.pages,
        "requests": cell.requests,
        "seconds": round(cell.seconds, 3),
        "cpu_seconds": round(cell.cpu_seconds, 3),
        "digest": cell.digest or None,
        "crawl": cell.crawl_id,
        "metrics": shown_metrics(cell.metrics),
    }


def _time(moment: Any) -> str | None:
    return None if moment is None else moment.isoformat()
