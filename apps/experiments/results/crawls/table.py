"""Every measure of the compared crawls: final value, best, area, and value at the common number of
pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.engine.evaluation import MEASURES
from apps.engine.evaluation.measure import Measure, Witness
from apps.experiments.results.crawls.course import Best, CrawlCourse, CurveAxis, MeasureCurve

SETTLED = 0.2
"""The share of the common span after which a best value counts: values of the first pages vary
widely."""


@dataclass(frozen=True, slots=True)
class CrawlValue:
    """One measure of one crawl.

    `final` is its last value, `best` the best one after the first fifth of the common span, `area`
    the mean over that span, `at_common` the value at the largest number of pages reached by all
    crawls, `difference` the latter minus the baseline's. None if undefined.
    """

    final: float
    best: Best | None
    area: float | None
    at_common: float | None
    difference: float | None


@dataclass(frozen=True, slots=True)
class MeasureValues:
    """One measure, with a cell for each crawl, None if the crawl has no such value.

    `span` is the part of the axis that all of them cover; areas are taken over it. `comparable`
    is whether the crawls agree in the measure's witness.
    """

    measure: type[Measure]
    comparable: bool
    span: tuple[float, float] | None
    cells: tuple[CrawlValue | None, ...]


def rows(
    courses: Sequence[CrawlCourse],
    axis: CurveAxis,
    common: int | None,
    bases: Sequence[int | None],
    spoiled: frozenset[Witness],
) -> tuple[MeasureValues, ...]:
    """A row for each measure that any crawl has, in the order of the registry.

    `common` is a number of pages, `bases` has the index of each crawl's baseline, `spoiled` the
    witnesses in which the crawls differ.
    """
    rows_of_all = []
    for measure in MEASURES:
        curves = [course.curve(measure.id, axis) for course in courses]
        if any(curve is not None for curve in curves):
            comparable = measure.witness not in spoiled
            marks = [None if common is None else c.at(common, measure.id) for c in courses]
            differences = [
                _difference(marks, i, bases[i] if comparable else None) for i in range(len(courses))
            ]
            span = _span(curves)
            cells = tuple(
                _cell(*each, span, measure) for each in zip(curves, marks, differences, strict=True)
            )
            rows_of_all.append(MeasureValues(measure, comparable, span, cells))
    return tuple(rows_of_all)


def _span(curves: Sequence[MeasureCurve | None]) -> tuple[float, float] | None:
    """The part of the axis that all curves cover, or None."""
    present = [curve for curve in curves if curve is not None]
    start = max(float(curve.x[0]) for curve in present)
    end = min(float(curve.x[-1]) for curve in present)
    return (start, end) if start < end else None


def _difference(marks: Sequence[float | None], index: int, base: int | None) -> float | None:
    if base is None or base == index:
        return None
    value, reference = marks[index], marks[base]
    return None if value is None or reference is None else value - reference


def _cell(
    curve: MeasureCurve | None,
    mark: float | None,
    difference: float | None,
    span: tuple[float, float] | None,
    measure: type[Measure],
) -> CrawlValue | None:
    if curve is None:
        return None
    settled = SETTLED * span[1] if span else 0.0
    area = curve.area(*span) if span else None
    best = curve.best(measure.less_is_better, settled)
    return CrawlValue(curve.final, best, area, mark, difference)


def by_id(rows: Sequence[MeasureValues]) -> Mapping[str, MeasureValues]:
    """The rows by the measure's id."""
    return {row.measure.id: row for row in rows}
