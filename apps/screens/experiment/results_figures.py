"""The figures of the results: trajectories, p over the crawl, topics by difficulty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from apps.engine.evaluation import MEASURES
from apps.engine.evaluation.measure import Measure
from apps.experiments.answers.choice import Choice
from apps.experiments.answers.groups import Grouping
from apps.experiments.answers.over_the_crawl import PCourse
from apps.experiments.answers.trajectories import trajectories
from apps.experiments.outcomes import Outcomes
from apps.experiments.paired_tests import LEVEL
from apps.figures import axis, traces
from apps.figures.figure import Figure
from apps.figures.marks import End, Mark
from apps.figures.quantities import count, number_of, probability
from apps.figures.units import UNITS

BARS = 8
BESIDE = 0.12
NAMED_HERE = 5
LEAST_DRAWN = 1e-5
"""Smaller p-values are drawn at the edge, so that all figures have one scale."""


@dataclass(frozen=True, slots=True)
class Course:
    """A measure over the crawl."""

    measure: type[Measure]
    figure: Figure
    ends: tuple[End, ...]


def courses(
    found: Outcomes, measures: Sequence[type[Measure]], marks: Sequence[Mark]
) -> Iterator[Course]:
    """The mean course of each measure, with bars of one standard error; those in grey lie below."""
    for measure in measures:
        rows = sorted(trajectories(found, measure), key=lambda row: bool(marks[row.place].symbol))
        known = [row for row in rows if np.isfinite(row.mean).any()]
        curves = [_curve(row.label, row.mean, row.error, found, marks[row.place]) for row in known]
        say = UNITS[measure.unit].say
        ends = [End(marks[row.place], row.label, say(_last(row.mean))) for row in reversed(known)]
        title = measure.title[:1].lower() + measure.title[1:]
        yield Course(measure, Figure(
            axis.pages_fetched(found.design.pages), axis.Axis(title, measure.unit), tuple(curves),
            reading=f"{measure.title} over pages fetched, mean over topics. At the end: "
                    f"{', '.join(f'{end.label} {end.value}' for end in ends)}.",
            empty=f"No cell has {title}", labelled=True, fitted=True,
        ), tuple(end for end in ends if end.mark.symbol))  # fmt: skip


def _curve(
    label: str, mean: np.ndarray, error: np.ndarray, found: Outcomes, mark: Mark
) -> traces.Curve:
    places = np.linspace(0, len(mean) - 1, BARS + 1).astype(int)[1:]
    return traces.Curve(
        label, mark.colour, found.grid.tolist(), _plain(mean), mark.style, mark=mark.symbol,
        errors=_plain(error) if mark.symbol else (), bars=tuple(places.tolist()),
        named=bool(mark.symbol),
    )


def other_measure(chosen: type[Measure], known: Sequence[type[Measure]]) -> list[type[Measure]]:
    """The measure chosen, and the first other one that screens usually show."""
    usual = ("target_recall", "harvest_rate_true", "harvest_rate", "average_status")
    by_id = {measure.id: measure for measure in known}
    others = [by_id[id] for id in usual if id in by_id and by_id[id] is not chosen]
    return [chosen, *others[:1]]


def p_figures(
    found: Outcomes, rows: Sequence[PCourse], marks: Sequence[Mark]
) -> Iterator[tuple[PCourse, Figure]]:
    """A figure for each crawler in colour, with the line below which a difference is shown; p below
    `LEAST_DRAWN` is drawn there."""
    grid, along = found.grid.tolist(), axis.Axis("", "probability", start=LEAST_DRAWN)
    for row in rows:
        if not marks[row.place].symbol:
            continue
        level = traces.Curve(f"p = {LEVEL}", "ink-3", [grid[0], grid[-1]], [LEVEL, LEVEL],
                             "dashed", named=False)  # fmt: skip
        curve = traces.Curve(row.label, marks[row.place].colour, grid,
                             _plain(np.maximum(row.p, LEAST_DRAWN)))  # fmt: skip
        said = f"below 0.05 for good from page {count(row.for_good_from)}" if row.for_good_from \
            else "not below 0.05 for good"
        yield row, Figure(
            axis.pages_fetched(found.design.pages), along, (level, curve),
            reading=f"p of {row.label} after Holm over pages fetched: {said}; at the end "
                    f"{probability(_last(row.p))}.",
        )  # fmt: skip


def difficulty_figure(
    found: Grouping, choice: Choice, labels: Sequence[str], marks: Sequence[Mark]
) -> Figure:
    """The mean of each crawler in colour in each quarter of the topics, one beside the other."""
    shown = [place for place, mark in enumerate(marks) if mark.symbol]
    names = tuple(group.name for group in found.groups)
    dots = tuple(
        traces.Dots(
            labels[place], marks[place].colour, [*range(len(names))],
            [group.values[place].mean for group in found.groups],
            errors=[group.values[place].error for group in found.groups],
            mark=marks[place].symbol, shift=BESIDE * (beside - (len(shown) - 1) / 2),
        )
        for beside, place in enumerate(shown)
    )  # fmt: skip
    title = choice.measure.title
    return Figure(
        axis.Axis("", "", names=names), axis.Axis(title[:1].lower() + title[1:],
                                                  choice.measure.unit),
        dots, fitted=True, grouped=False, empty=found.note.rstrip("."),
        reading=f"{title} {choice.when} by difficulty of the topic, in"
                f" {number_of(len(names), 'group')}.",
    )  # fmt: skip


def measures_offered(
    known: Sequence[type[Measure]], chosen: type[Measure], planned: str
) -> tuple[list[type[Measure]], list[type[Measure]]]:
    """The measures of the switch, the planned one first, and those in the menu of others."""
    first = [each for each in MEASURES if each.id == planned]
    usual = other_measure(first[0], known)
    here = list(dict.fromkeys([*usual, chosen]))
    for id in ("average_status", "average_status_estimated"):
        here += [each for each in known if each.id == id and len(here) < NAMED_HERE]
    here = list(dict.fromkeys(here))
    return here, [each for each in known if each not in here]


def _plain(values: np.ndarray) -> list[float | None]:
    return [float(value) if np.isfinite(value) else None for value in values]


def _last(values: np.ndarray) -> float | None:
    known = values[np.isfinite(values)]
    return float(known[-1]) if len(known) else None
