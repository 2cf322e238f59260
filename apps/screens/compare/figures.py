"""The curves of crawls over each other: a figure a measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from apps.engine.evaluation.average_status import AverageStatus, AverageStatusEstimated
from apps.engine.evaluation.harvest_rate import HarvestRate
from apps.engine.evaluation.harvest_rate_true import HarvestRateTrue
from apps.engine.evaluation.target_recall import TargetRecall
from apps.experiments.compare.comparison import Comparison
from apps.experiments.compare.course import Axis, Curve
from apps.experiments.compare.table import Row
from apps.figures import axis, traces
from apps.figures.figure import Figure, Table
from apps.figures.marks import End, Mark
from apps.figures.quantities import count
from apps.figures.units import UNITS

MAIN = (TargetRecall, HarvestRateTrue, HarvestRate, AverageStatus, AverageStatusEstimated)
TABLE_ROWS = 25
MOST = 2
"""Figures that are drawn; a measure that is chosen comes first."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """One measure drawn."""

    row: Row
    figure: Figure
    ends: tuple[End, ...]


def chosen_row(found: Comparison, measure: str) -> Row | None:
    """The measure asked for, else the first main one that can be compared, else any; None where
    nothing is known of the crawls."""
    known = {row.measure.id: row for row in found.rows}
    main = [known[each.id] for each in MAIN if each.id in known]
    able = [row for row in main if row.comparable]
    return known.get(measure) or next(iter([*able, *main, *found.rows]), None)


def main_rows(found: Comparison, chosen: Row) -> tuple[Row, ...]:
    """The main measures that are known, and the one chosen."""
    return tuple(row for row in found.rows if row.measure in MAIN or row is chosen)


def drawn(found: Comparison, chosen: Row, marks: Mapping[int, Mark]) -> Iterator[Drawn]:
    """The measure chosen, and the first other main one."""
    others = [row for row in main_rows(found, chosen) if row is not chosen]
    for row in (chosen, *others)[:MOST]:
        curves = [(mark, label, curve) for mark, label, curve in _curves(found, row, marks)]
        yield Drawn(row, _figure(found, row, curves), tuple(_ends(row, curves)))


def _curves(
    found: Comparison, row: Row, marks: Mapping[int, Mark]
) -> Iterator[tuple[Mark, str, Curve]]:
    """Those in grey first, so that they lie below."""
    each = list(zip(found.crawls, found.labels, found.courses, strict=True))
    for crawl, label, course in sorted(each, key=lambda one: bool(marks[one[0].pk].symbol)):
        curve = course.curve(row.measure.id, found.axis)
        if curve is not None:
            yield marks[crawl.pk], label, curve.thinned()


def _figure(found: Comparison, row: Row, curves: Sequence[tuple[Mark, str, Curve]]) -> Figure:
    steps = bool(row.measure.curve and row.measure.curve.steps)
    end = max(float(curve.x[-1]) for _, _, curve in curves)
    return Figure(
        _x_axis(found.axis, end), axis.axis_of(row.measure),
        tuple(
            traces.Curve(label, mark.colour, curve.x.tolist(), curve.y.tolist(), mark.style,
                         steps=steps, mark=mark.symbol)
            for mark, label, curve in curves
        ),
        reading=_reading(row, curves, found.axis), table=_table(row, curves, found.axis),
        labelled=True, fitted=True,
    )


def _table(row: Row, curves: Sequence[tuple[Mark, str, Curve]], along: Axis) -> Table:
    """The curves at some of their points; a dash where one has not begun or has ended."""
    say, every = UNITS[row.measure.unit].say, np.unique(np.concatenate([c.x for _, _, c in curves]))
    places = every[np.unique(np.linspace(0, len(every) - 1, TABLE_ROWS).astype(int))]
    columns = [np.interp(places, c.x, c.y, left=np.nan, right=np.nan) for _, _, c in curves]
    head = "Pages" if along is Axis.PAGES else "Active minutes"
    rows = (
        (count(x) if along is Axis.PAGES else f"{x:,.1f}",
         *(say(None if np.isnan(column[i]) else float(column[i])) for column in columns))
        for i, x in enumerate(places)
    )
    return Table((head, *(label for _, label, _ in curves)), tuple(rows))


def _x_axis(along: Axis, end: float) -> axis.Axis:
    if along is Axis.PAGES:
        return axis.pages_fetched(int(end))
    return axis.Axis("active minutes", "count", end=max(end, 0.1), hover="minute %{x:.1f}")


def _reading(row: Row, curves: Sequence[tuple[Mark, str, Curve]], along: Axis) -> str:
    say = UNITS[row.measure.unit].say
    ends = ", ".join(f"{label} {say(curve.final)}" for _, label, curve in curves)
    over = "pages fetched" if along is Axis.PAGES else "active minutes"
    return f"{row.measure.title} of {count(len(curves))} crawls over {over}. At the end: {ends}."


def _ends(row: Row, curves: Sequence[tuple[Mark, str, Curve]]) -> Iterator[End]:
    say = UNITS[row.measure.unit].say
    for mark, label, curve in curves:
        yield End(mark, label, say(curve.final))
