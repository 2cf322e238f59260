"""The curves of crawls over each other: a figure a measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from apps.engine.evaluation.average_status import AverageStatus, AverageStatusEstimated
from apps.engine.evaluation.harvest_rate import HarvestRate
from apps.engine.evaluation.harvest_rate_true import HarvestRateTrue
from apps.engine.evaluation.target_recall import TargetRecall
from apps.experiments.results.crawls.comparison import CrawlComparison
from apps.experiments.results.crawls.course import CurveAxis, MeasureCurve
from apps.experiments.results.crawls.table import MeasureValues
from apps.figures import axis, traces
from apps.figures.figure import Figure, FigureTable
from apps.figures.marks import End, Mark
from apps.figures.quantities import count
from apps.figures.units import UNITS

MAIN = (TargetRecall, HarvestRateTrue, HarvestRate, AverageStatus, AverageStatusEstimated)
TABLE_ROWS = 25
MOST = 2
"""Figures that are drawn; a measure that is chosen comes first."""


@dataclass(frozen=True, slots=True)
class DrawnMeasure:
    """One measure drawn."""

    row: MeasureValues
    figure: Figure
    ends: tuple[End, ...]


def chosen_row(compared: CrawlComparison, measure: str) -> MeasureValues | None:
    """The measure asked for, else the first main one that can be compared, else any; None where
    the crawls have no measures."""
    rows_by_id = {row.measure.id: row for row in compared.rows}
    main = [rows_by_id[each.id] for each in MAIN if each.id in rows_by_id]
    able = [row for row in main if row.comparable]
    return rows_by_id.get(measure) or next(iter([*able, *main, *compared.rows]), None)


def main_rows(compared: CrawlComparison, chosen: MeasureValues) -> tuple[MeasureValues, ...]:
    """The main measures that the crawls have, and the one chosen."""
    return tuple(row for row in compared.rows if row.measure in MAIN or row is chosen)


def draw_measures(
    compared: CrawlComparison, chosen: MeasureValues, marks: Mapping[int, Mark]
) -> Iterator[DrawnMeasure]:
    """The measure chosen, and the first other main one."""
    others = [row for row in main_rows(compared, chosen) if row is not chosen]
    for row in (chosen, *others)[:MOST]:
        curves = [(mark, label, curve) for mark, label, curve in _curves(compared, row, marks)]
        yield DrawnMeasure(row, _figure(compared, row, curves), tuple(_ends(row, curves)))


def _curves(
    compared: CrawlComparison, row: MeasureValues, marks: Mapping[int, Mark]
) -> Iterator[tuple[Mark, str, MeasureCurve]]:
    """The curves in drawing order: grey ones first, so that they lie below."""
    crawls = list(zip(compared.crawls, compared.labels, compared.courses, strict=True))
    for crawl, label, course in sorted(crawls, key=lambda one: bool(marks[one[0].pk].symbol)):
        curve = course.curve(row.measure.id, compared.axis)
        if curve is not None:
            yield marks[crawl.pk], label, curve.thinned()


def _figure(
    compared: CrawlComparison, row: MeasureValues, curves: Sequence[tuple[Mark, str, MeasureCurve]]
) -> Figure:
    steps = bool(row.measure.curve and row.measure.curve.steps)
    end = max(float(curve.x[-1]) for _, _, curve in curves)
    return Figure(
        _x_axis(compared.axis, end),
        axis.axis_of(row.measure),
        tuple(
            traces.Curve(
                label,
                mark.colour,
                curve.x.tolist(),
                curve.y.tolist(),
                mark.style,
                steps=steps,
                mark=mark.symbol,
            )
            for mark, label, curve in curves
        ),
        reading=_reading(row, curves, compared.axis),
        table=_table(row, curves, compared.axis),
        labelled=True,
        fitted=True,
    )


def _table(
    row: MeasureValues, curves: Sequence[tuple[Mark, str, MeasureCurve]], along: CurveAxis
) -> FigureTable:
    """The curves at some of their points; a dash where one has not begun or has ended."""
    write, every = (
        UNITS[row.measure.unit].write,
        np.unique(np.concatenate([c.x for _, _, c in curves])),
    )
    points = every[np.unique(np.linspace(0, len(every) - 1, TABLE_ROWS).astype(int))]
    columns = [np.interp(points, c.x, c.y, left=np.nan, right=np.nan) for _, _, c in curves]
    head = "Pages" if along is CurveAxis.PAGES else "Active minutes"
    rows = (
        (
            count(x) if along is CurveAxis.PAGES else f"{x:,.1f}",
            *(write(None if np.isnan(column[i]) else float(column[i])) for column in columns),
        )
        for i, x in enumerate(points)
    )
    return FigureTable((head, *(label for _, label, _ in curves)), tuple(rows))


def _x_axis(along: CurveAxis, end: float) -> axis.Axis:
    if along is CurveAxis.PAGES:
        return axis.pages_fetched(int(end))
    return axis.Axis("active minutes", "count", end=max(end, 0.1), hover="minute %{x:.1f}")


def _reading(
    row: MeasureValues, curves: Sequence[tuple[Mark, str, MeasureCurve]], along: CurveAxis
) -> str:
    write = UNITS[row.measure.unit].write
    ends = ", ".join(f"{label} {write(curve.final)}" for _, label, curve in curves)
    over = "pages fetched" if along is CurveAxis.PAGES else "active minutes"
    return f"{row.measure.title} of {count(len(curves))} crawls over {over}. At the end: {ends}."


def _ends(row: MeasureValues, curves: Sequence[tuple[Mark, str, MeasureCurve]]) -> Iterator[End]:
    write = UNITS[row.measure.unit].write
    for mark, label, curve in curves:
        yield End(mark, label, write(curve.final))
