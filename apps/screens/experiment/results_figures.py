"""The figures of the results: trajectories, p over the crawl, topics by difficulty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from apps.engine.evaluation import MEASURES
from apps.engine.evaluation.measure import Measure
from apps.experiments.figures.asked import Asked
from apps.experiments.figures.mean_curves import course_figure
from apps.experiments.results.nullable import nullable
from apps.experiments.results.over_the_crawl import PCourse
from apps.experiments.results.paired_tests import LEVEL
from apps.figures import axis, traces
from apps.figures.figure import Figure
from apps.figures.marks import End
from apps.figures.quantities import count, probability

NAMED_HERE = 5
LEAST_DRAWN = 1e-5
"""Smaller p-values are drawn at the edge, so that all figures have one scale."""


@dataclass(frozen=True, slots=True)
class MeasureCourse:
    """A measure over the crawl, and the last values of the crawlers in colour."""

    measure: type[Measure]
    figure: Figure
    ends: tuple[End, ...]


def courses(asked: Asked, measures: Sequence[type[Measure]]) -> Iterator[MeasureCourse]:
    """The mean course of each measure, with bars of one standard error."""
    for measure in measures:
        along = axis.axis_of(measure)
        figure = course_figure(
            asked, measure.id, measure.title, along, f"No cell has {measure.phrase()}"
        )
        last = {curve.label: along.write(curve.y[-1]) for curve in figure.traces}
        yield MeasureCourse(
            measure,
            figure,
            tuple(
                End(asked.marks[index], label, last[label])
                for index, label in enumerate(asked.labels)
                if index in asked.drawn and label in last
            ),
        )


def other_measure(chosen: type[Measure], available: Sequence[type[Measure]]) -> list[type[Measure]]:
    """The measure chosen, and the first other one that screens usually show."""
    usual = ("target_recall", "harvest_rate_true", "harvest_rate", "average_status")
    by_id = {measure.id: measure for measure in available}
    others = [by_id[id] for id in usual if id in by_id and by_id[id] is not chosen]
    return [chosen, *others[:1]]


def p_figures(asked: Asked, rows: Sequence[PCourse]) -> Iterator[tuple[PCourse, Figure]]:
    """A figure for each crawler in colour, with the line below which a difference is shown; p below
    `LEAST_DRAWN` is drawn there."""
    grid = asked.outcomes.grid.tolist()
    along = axis.Axis("", "probability", start=LEAST_DRAWN)
    for row in rows:
        if row.index not in asked.drawn:
            continue
        level = traces.Curve(
            f"p = {LEVEL}", "ink-3", [grid[0], grid[-1]], [LEVEL, LEVEL], "dashed", named=False
        )
        p = nullable(np.maximum(row.p, LEAST_DRAWN))
        ends = (
            f"below 0.05 for good from page {count(row.for_good_from)}"
            if row.for_good_from
            else "not below 0.05 for good"
        )
        yield (
            row,
            Figure(
                axis.pages_fetched(grid[-1]),
                along,
                (level, traces.Curve(row.label, asked.marks[row.index].colour, grid, p)),
                reading=f"p of {row.label} after Holm over pages fetched: {ends}; at the end "
                f"{probability(p[-1])}.",
            ),
        )


def measures_offered(
    available: Sequence[type[Measure]], chosen: type[Measure], planned: str
) -> tuple[list[type[Measure]], list[type[Measure]]]:
    """The measures of the switch, the planned one first, and those in the menu of others."""
    first = [each for each in MEASURES if each.id == planned]
    usual = other_measure(first[0], available)
    here = list(dict.fromkeys([*usual, chosen]))
    for id in ("average_status", "average_status_estimated"):
        here += [each for each in available if each.id == id and len(here) < NAMED_HERE]
    here = list(dict.fromkeys(here))
    return here, [each for each in available if each not in here]
