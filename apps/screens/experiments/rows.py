"""Experiments as rows of a table, the same at load and live."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import AbstractUser
from django.template.loader import render_to_string

from apps.engine.evaluation import BY_ID
from apps.experiments.design.schema import Design
from apps.experiments.models import Experiment
from apps.experiments.progress import Progress, progress
from apps.experiments.selectors import editable_experiments
from apps.figures.quantities import count, roughly
from apps.screens.experiment.state_badge import state_badge
from apps.screens.live.state_badge import StateBadge
from apps.screens.stamps import Piece


@dataclass(frozen=True, slots=True)
class ExperimentRow:
    """One experiment in the list; `said` are the words beside its state."""

    experiment: Experiment
    now: Progress
    badge: StateBadge
    said: str
    topics: int
    crawlers: int
    measured: str
    mine: bool
    may_edit: bool


def drawn_rows(experiments: Iterable[Experiment], person: AbstractUser) -> list[Piece]:
    """The rows of some experiments, in their order, each by the experiment's number."""
    found = list(experiments)
    keys = [experiment.pk for experiment in found]
    editable = set(editable_experiments(person).filter(pk__in=keys).values_list("pk", flat=True))
    rows = [_row(experiment, person, experiment.pk in editable) for experiment in found]
    return [Piece(str(row.experiment.pk), render_to_string("experiments/row.html", {"row": row}))
            for row in rows]  # fmt: skip


def _row(experiment: Experiment, person: AbstractUser, may_edit: bool) -> ExperimentRow:
    now, design = progress(experiment), Design.read(experiment.design)
    badge = state_badge(experiment, now)
    return ExperimentRow(
        experiment, now, badge, _said(experiment, now, badge), experiment.topics.count(),
        experiment.crawlers.count(), _measured(design), experiment.owner_id == person.pk, may_edit,
    )


def _said(experiment: Experiment, now: Progress, badge: StateBadge) -> str:
    """Speed and time left while it runs, else the reason of its state."""
    if experiment.state != Experiment.State.RUNNING or now.seconds_left is None:
        return badge.reason
    return f"{count(now.pages_per_second)} pages/s, about {roughly(now.seconds_left)} left"


def _measured(design: Design) -> str:
    return f"{BY_ID[design.measure].phrase()} at {count(design.moment)} pages"
