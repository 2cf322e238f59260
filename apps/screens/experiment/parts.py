"""The parts of an experiment's page, each with an address."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from apps.experiments.figures import FIGURES
from apps.experiments.models import Experiment
from apps.experiments.progress import Progress
from apps.figures.quantities import count

RESULTS, MATRIX, TOPICS, DRAWN, RECIPE = "results", "matrix", "topics", "figures", "recipe"
TITLES = {
    RESULTS: "Results", MATRIX: "Matrix", TOPICS: "Topics", DRAWN: "Figures", RECIPE: "Recipe",
}  # fmt: skip
State = Experiment.State
OVER = (State.STOPPED, State.FINISHED)


@dataclass(frozen=True, slots=True)
class Part:
    """One tab: its title, what there is of it in words, its address."""

    name: str
    title: str
    amount: str
    address: str
    here: bool


def is_over(experiment: Experiment, now: Progress) -> bool:
    """Whether all cells have ended, or the others will not run."""
    return experiment.state in OVER and bool(now.done)


def part_named(name: str, experiment: Experiment, now: Progress) -> str:
    """The part of that name; without it Matrix while cells are to end, then Results."""
    return name if name in TITLES else RESULTS if is_over(experiment, now) else MATRIX


def parts(experiment: Experiment, now: Progress, here: str) -> list[Part]:
    """All parts in their order."""
    address = reverse("experiment:experiment", args=[experiment.pk])
    over = is_over(experiment, now)
    amounts = {
        RESULTS: "" if over else "so far" if now.done else "none yet",
        MATRIX: f"{count(now.cells)} cells" if over
        else f"{count(now.done + now.failed)} of {count(now.cells)}",
        TOPICS: count(experiment.topics.count()),
        DRAWN: count(len(FIGURES)),
        RECIPE: "",
    }  # fmt: skip
    return [Part(name, title, amounts[name], f"{address}?part={name}", name == here)
            for name, title in TITLES.items()]  # fmt: skip
