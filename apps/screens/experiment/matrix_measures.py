"""The measures that the matrix can show: each cell's value when it ended."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from apps.engine.evaluation import BY_ID
from apps.engine.evaluation.average_status import AverageStatus, AverageStatusEstimated
from apps.engine.evaluation.harvest_rate import HarvestRate
from apps.engine.evaluation.harvest_rate_true import HarvestRateTrue
from apps.engine.evaluation.measure import Measure
from apps.engine.evaluation.target_recall import TargetRecall
from apps.experiments.design.schema import Design
from apps.experiments.models import Cell, Experiment
from apps.figures.quantities import count
from apps.figures.units import UNITS

PAGES = "pages"


@dataclass(frozen=True, slots=True)
class MatrixMeasure:
    """One choice of the switch. `measure` is None for the pages themselves; `tone` is the colour of
    its bars, `caption` says what a value is."""

    name: str
    title: str
    tone: str
    measure: type[Measure] | None
    caption: str

    @property
    def key(self) -> str:
        """Where a cell's metrics have it."""
        return self.measure.id if self.measure else PAGES

    def write(self, value: float | None) -> str:
        """A value in words."""
        return UNITS[self.measure.unit].write(value) if self.measure else count(value)


def switch(experiment: Experiment, design: Design) -> list[MatrixMeasure]:
    """Recall, harvest, status and pages, as this experiment knows them; first, if it is another
    one, the measure of its design."""
    measured = _measured(experiment)
    named = {
        "recall": ("Recall", "of-recall", (TargetRecall,)),
        "harvest": ("Harvest", "of-harvest", (HarvestRateTrue, HarvestRate)),
        "status": ("Status", "of-status", (AverageStatus, AverageStatusEstimated)),
    }
    offered = [
        _of(name, title, tone, next((m for m in kinds if m.id in measured), kinds[-1]), design)
        for name, (title, tone, kinds) in named.items()
    ]
    own = BY_ID[design.measure]
    if all(own is not each.measure for each in offered):
        offered.insert(0, _of(own.id, own.title, "", own, design))
    caption = f"pages fetched by a cell, {count(design.pages)} at most"
    return [*offered, MatrixMeasure(PAGES, "Pages", "", None, caption)]


def chosen_measure(measures: list[MatrixMeasure], name: str, design: Design) -> MatrixMeasure:
    """The measure of that name; without it that of the design."""
    fallback = next(each for each in measures if each.key == design.measure)
    return next((each for each in measures if each.name == name), fallback)


def _of(name: str, title: str, tone: str, measure: type[Measure], design: Design) -> MatrixMeasure:
    caption = f"{measure.phrase()} at the end of a cell, {count(design.pages)} pages"
    return MatrixMeasure(name, title, tone, measure, caption)


def _measured(experiment: Experiment) -> frozenset[str]:
    """The measures with a value in the newest ended cells."""
    ended = experiment.cells.filter(job_state=Cell.State.DONE).order_by("-pk")
    return frozenset(_names(ended.values_list("metrics", flat=True)[:20]))


def _names(rows: Iterable[dict[str, float | None]]) -> Iterable[str]:
    return (name for row in rows for name, value in row.items() if value is not None)
