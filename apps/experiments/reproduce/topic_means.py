"""Crawlers compared over topics: means with standard errors, and paired t-tests against one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from apps.engine.evaluation.significance import (
    Estimate,
    Tail,
    estimate,
    holm,
    p_values_over_time,
    paired_t_test,
)
from apps.experiments.reproduce.directory_protocol import Course


@dataclass(frozen=True, slots=True)
class Mean:
    """A measure of one crawler over topics: at the end, and its mean after each tenth.

    `p` is that of a paired t-test against the reference crawler, `holm` the same corrected for all
    crawlers, `p_over_time` one for each tenth; None for the reference itself.
    """

    crawler: str
    measure: str
    end: Estimate
    course: tuple[float, ...]
    p: float | None
    holm: float | None
    p_over_time: tuple[float | None, ...] | None


def means(courses: Sequence[Course], measure: str, against: str, tail: Tail) -> tuple[Mean, ...]:
    """A mean for each crawler, in the order of the courses; all crawlers have the same topics."""
    table = {course.crawler: _table(courses, course.crawler, measure) for course in courses}
    base = table[against]
    tests = {name: paired_t_test(rows[:, -1].tolist(), base[:, -1].tolist(), tail).p
             for name, rows in table.items() if name != against}
    known = {name: p for name, p in tests.items() if p is not None}
    corrected = dict(zip(known, holm(list(known.values())), strict=True))
    return tuple(
        Mean(
            name, measure, estimate(rows[:, -1].tolist()), tuple(rows.mean(axis=0).tolist()),
            tests.get(name), corrected.get(name),
            None if name == against else tuple(p_values_over_time(rows, base, tail)),
        )
        for name, rows in table.items()
    )


def _table(courses: Sequence[Course], crawler: str, measure: str) -> np.ndarray:
    """The measure of a crawler: topics × tenths; undefined values count 0."""
    rows = [course.values[measure] for course in courses if course.crawler == crawler]
    return np.array([[value or 0.0 for value in row] for row in rows], np.float64)


def written(found: Estimate) -> str:
    """`.345±.012`."""
    error = "" if found.error is None else f"±{found.error:.3f}"
    return "–" if found.mean is None else f"{found.mean:.3f}{error}"


def chance(p: float | None) -> str:
    """A p-value as text; – if there is none."""
    return "–" if p is None else f"{p:.3f}"
