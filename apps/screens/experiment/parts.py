"""The parts of an experiment's page, each with an address."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from apps.experiments.figures import FIGURES
from apps.experiments.models import Experiment
from apps.experiments.progress import ExperimentProgress
from apps.figures.quantities import count

RESULTS, MATRIX, TOPICS, DRAWN, RECIPE = "results", "matrix", "topics", "figures", "recipe"
TITLES = {
    RESULTS: "Results",
    MATRIX: "Matrix",
    TOPICS: "Topics",
    DRAWN: "Figures",
    RECIPE: "Recipe",
}
State = Experiment.State
OVER = (State.STOPPED, State.FINISHED)


@dataclass(frozen=True, slots=True)
class ExperimentTab:
    """One tab: its title, its size in words, its address."""

    name: str
    title: str
    amount: str
    address: str
    here: bool


def is_over(experiment: Experiment, now: ExperimentProgress) -> bool:
    """Whether all cells have ended, or the others will not run."""
    return experiment.state in OVER and bool(now.done)


def part_named(name: str, experiment: Experiment, now: ExperimentProgress) -> str:
    """The part of that name; without it Matrix while cells are to end, then Results."""
    return name if name in TITLES else RESULTS if is_over(experiment, now) else MATRIX


def parts(experiment: Experiment, now: ExperimentProgress, here: str) -> list[ExperimentTab]:
    """All parts in their order."""
    address = reverse("experiment:experiment", args=[experiment.pk])
    over = is_over(experiment, now)
    amounts = {
        RESULTS: "" if over else "so far" if now.done else "none yet",
        MATRIX: f"{count(now.cells)} cells"
        if over
        else f"{count(now.done + now.failed)} of {count(now.cells)}",
        TOPICS: count(experiment.topics.count()),
        DRAWN: count(len(FIGURES)),
        RECIPE: "",
    }
    return [
        ExperimentTab(name, title, amounts[name], f"{address}?part={name}", name == here)
        for name, title in TITLES.items()
    ]
