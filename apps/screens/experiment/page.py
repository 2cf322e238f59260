"""The frame of an experiment's page, shared by its parts: head, actions, progress in numbers,
tabs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.utils import timezone

from apps.experiments.design.schema import Design
from apps.experiments.hold_out import hold_out_words, hold_outs_of
from apps.experiments.models import Cell, Experiment
from apps.experiments.progress import ExperimentProgress, progress
from apps.experiments.selectors import editable_experiments
from apps.figures.quantities import count, number_of
from apps.screens.experiment.parts import is_over
from apps.screens.experiment.state_badge import state_badge
from apps.screens.live.state_badge import StateBadge
from apps.topics.selectors import visible_topics

State = Experiment.State
MOVING = (State.PREPARING, State.RUNNING, State.PAUSED)
JUDGES = {
    "separate": "Judged by a committee on evaluation examples",
    "lc": "Judged by a committee on all examples and targets",
    "sl": "Judged by one SVM on held-out examples",
}


@dataclass(frozen=True, slots=True)
class ExperimentPage:
    """An experiment as a person sees it now.

    `until` is when it would be done; `left` is how many cells a stop would leave out.
    """

    experiment: Experiment
    design: Design
    now: ExperimentProgress
    badge: StateBadge
    facts: tuple[str, ...]
    mine: bool
    may_edit: bool
    may_have_recipe: bool
    until: datetime | None

    @property
    def moves(self) -> bool:
        """Whether the page changes by itself."""
        return self.experiment.state in MOVING

    @property
    def is_over(self) -> bool:
        return is_over(self.experiment, self.now)

    @property
    def ended(self) -> int:
        return self.now.done + self.now.failed

    @property
    def cells_left(self) -> int:
        return self.now.cells - self.ended

    @property
    def may_continue(self) -> bool:
        """Whether a stopped experiment has cells that would run."""
        return self.experiment.state in (State.STOPPED, State.PAUSED) and bool(self.cells_left)


def experiment_page(experiment: Experiment, person: User) -> ExperimentPage:
    """The page of an experiment that the person may see."""
    now, design = progress(experiment), Design.read(experiment.design)
    left = now.seconds_left
    minute = timezone.now().replace(second=0, microsecond=0)
    return ExperimentPage(
        experiment,
        design,
        now,
        state_badge(experiment, now),
        _facts(experiment, design),
        mine=experiment.owner_id == person.pk,
        may_edit=editable_experiments(person).filter(pk=experiment.pk).exists(),
        may_have_recipe=may_have_recipe(person, experiment),
        until=minute + timedelta(seconds=left) if left else None,
    )


def _facts(experiment: Experiment, design: Design) -> tuple[str, ...]:
    crawlers, topics = experiment.crawlers.count(), experiment.topics.count()
    web = experiment.web
    recorded = f"Recorded web {web.name}" if web.is_recorded else "Live web, each URL fetched once"
    return (
        "1 strategy" if crawlers == 1 else f"{count(crawlers)} strategies",
        number_of(topics, "topic"),
        number_of(design.repetitions, "repetition"),
        f"{count(design.pages)} pages each",
        recorded,
        _judge(experiment, design),
        "Same seeds, targets and judge for all",
        *([words] if (words := hold_out_words(hold_outs_of(experiment))) else []),
    )


def _judge(experiment: Experiment, design: Design) -> str:
    """The judge; with a note if a topic has only the guiding one."""
    judged = set(experiment.topics.values_list("judged_by", flat=True))
    if judged & {"guiding_classifier", "none"}:
        return "Some topics have no judge of their own"
    return JUDGES[design.judge]


def failed_cells(experiment: Experiment) -> list[Cell]:
    """The cells that failed, topic by topic."""
    failed = experiment.cells.filter(job_state=Cell.State.FAILED)
    return list(failed.select_related("topic", "crawler", "experiment"))


def may_have_recipe(person: User, experiment: Experiment) -> bool:
    """Whether the person may see the topics that the recipe holds."""
    topics = {*experiment.topics.exclude(topic=None).values_list("topic_id", flat=True)}
    return topics <= {*visible_topics(person).filter(pk__in=topics).values_list("pk", flat=True)}
