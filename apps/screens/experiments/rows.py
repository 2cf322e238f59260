"""Experiments as rows of a table, the same at load and live."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Count, Model
from django.template.loader import render_to_string

from apps.engine.evaluation import BY_ID
from apps.experiments.design.schema import Design
from apps.experiments.models import Experiment, ExperimentCrawler, ExperimentTopic
from apps.experiments.progress import ExperimentProgress, progress_of_each
from apps.experiments.selectors import editable_experiments
from apps.figures.quantities import count, roughly
from apps.screens.experiment.state_badge import state_badge
from apps.screens.live.state_badge import StateBadge
from apps.screens.stamps import Piece


@dataclass(frozen=True, slots=True)
class ExperimentRow:
    """One experiment in the list; `state_words` are the words beside its state."""

    experiment: Experiment
    now: ExperimentProgress
    badge: StateBadge
    state_words: str
    topics: int
    crawlers: int
    measured: str
    mine: bool
    may_edit: bool


def drawn_rows(experiments: Iterable[Experiment], person: User) -> list[Piece]:
    """The rows of some experiments, in their order, each by the experiment's number."""
    listed = list(experiments)
    keys = [experiment.pk for experiment in listed]
    editable = set(editable_experiments(person).filter(pk__in=keys).values_list("pk", flat=True))
    progress, topics = progress_of_each(listed), _count(ExperimentTopic, keys)
    crawlers = _count(ExperimentCrawler, keys)
    rows = [
        _row(
            each, person, each.pk in editable, progress[each.pk], topics[each.pk], crawlers[each.pk]
        )
        for each in listed
    ]
    return [
        Piece(str(row.experiment.pk), render_to_string("experiments/row.html", {"row": row}))
        for row in rows
    ]


def _count(kind: type[Model], experiments: Iterable[int]) -> Counter[int]:
    """The number of rows of a kind by experiment."""
    rows = kind._default_manager.filter(experiment__in=experiments).order_by()
    return Counter(dict(rows.values_list("experiment").annotate(Count("pk"))))


def _row(
    experiment: Experiment,
    person: User,
    may_edit: bool,
    now: ExperimentProgress,
    topics: int,
    crawlers: int,
) -> ExperimentRow:
    badge = state_badge(experiment, now)
    return ExperimentRow(
        experiment,
        now,
        badge,
        _describe_state(experiment, now, badge),
        topics,
        crawlers,
        _measured(Design.read(experiment.design)),
        experiment.owner_id == person.pk,
        may_edit,
    )


def _describe_state(experiment: Experiment, now: ExperimentProgress, badge: StateBadge) -> str:
    """Speed and time left while it runs, else the reason of its state."""
    if experiment.state != Experiment.State.RUNNING or now.seconds_left is None:
        return badge.reason
    return f"{count(now.pages_per_second)} pages/s, about {roughly(now.seconds_left)} left"


def _measured(design: Design) -> str:
    return f"{BY_ID[design.measure].phrase()} at {count(design.moment)} pages"
