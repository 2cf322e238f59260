"""Curves over the pages fetched: the mean of each crawler over topics, with standard errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from apps.engine.evaluation.significance import Estimate, half_of
from apps.experiments.figures.asked import Asked, means_of
from apps.figures.axis import Axis, pages_fetched
from apps.figures.figure import Figure, FigureTable
from apps.figures.quantities import count
from apps.figures.traces import Curve

BARS = 8
"""Error bars a curve."""
TABLE_ROWS = 25


class Spread(NamedTuple):
    """How far a bar reaches to each side of a mean, and its name."""

    words: str
    of: Callable[[Estimate], float | None]


STANDARD_ERROR = Spread("standard error", lambda mean: mean.error)
INTERVAL = Spread("half of the .95 interval", half_of)
"""By Student's t over the topics (HCLA Fig. 5)."""


def course_figure(
    asked: Asked,
    name: str,
    title: str,
    axis: Axis,
    empty: str,
    crawlers: Sequence[int] | None = None,
    spread: Spread = STANDARD_ERROR,
) -> Figure:
    """The mean course of a measure, or another number of the samples, for the crawlers that have
    it; `title` begins the sentence that reads it aloud. Its bars are one standard error, or another
    `spread`."""
    curves = mean_curves(asked, name, crawlers, spread)
    end = int(asked.outcomes.grid[-1])
    return Figure(
        pages_fetched(end),
        axis,
        curves,
        reading=_reading(asked, title, axis, curves, spread.words),
        empty=empty,
        table=curve_table(curves, axis),
        labelled=True,
        fitted=True,
    )


def mean_curves(
    asked: Asked,
    name: str,
    crawlers: Sequence[int] | None = None,
    spread: Spread = STANDARD_ERROR,
) -> tuple[Curve, ...]:
    """A curve for each crawler that has the number, those in grey first, so that they lie below."""
    indexes = range(len(asked.labels)) if crawlers is None else crawlers
    table, x = asked.outcomes.curves(name), asked.outcomes.grid.tolist()
    curves = []
    for index in sorted(indexes, key=lambda index: bool(asked.marks[index].symbol)):
        means = means_of(table[:, index])
        if any(each.mean is not None for each in means):
            mark = asked.marks[index]
            curves.append(
                Curve(
                    asked.labels[index],
                    mark.colour,
                    x,
                    [each.mean for each in means],
                    mark.style,
                    mark=mark.symbol,
                    errors=[spread.of(each) for each in means],
                    bars=_bars(len(x), asked, index) if mark.symbol else (),
                )
            )
    return tuple(curves)


def _bars(samples: int, asked: Asked, index: int) -> list[int]:
    """The samples with an error bar: the last one, and some before it that no other crawler has."""
    step = max(1, samples // BARS)
    turn = asked.drawn.index(index)
    aside = turn * step // max(len(asked.drawn), 1)
    return [*range(samples - 1 - aside, -1, -step)]


def _reading(asked: Asked, title: str, axis: Axis, curves: Sequence[Curve], spread: str) -> str:
    order = {label: index for index, label in enumerate(asked.labels)}
    ends = ", ".join(
        f"{curve.label} {curve.texts(axis)[-1]}"
        for curve in sorted(curves, key=lambda curve: order[curve.label])
    )
    pages = count(int(asked.outcomes.grid[-1]))
    return f"{title}, mean of {asked.over} ± {spread}, after {pages} pages: {ends}."


def curve_table(curves: Sequence[Curve], axis: Axis) -> FigureTable:
    """Curves at some of their points, all with the same ones."""
    if not curves:
        return FigureTable(("Pages fetched",), ())
    x = curves[0].x
    points = np.unique(np.linspace(0, len(x) - 1, TABLE_ROWS).astype(int))
    columns = [curve.texts(axis) for curve in curves]
    return FigureTable(
        ("Pages fetched", *(curve.label for curve in curves)),
        tuple((count(x[i]), *(column[i] for column in columns)) for i in points),
    )
