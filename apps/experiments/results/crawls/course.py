"""The course of a crawl: its measures at its samples, and summaries of their curves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, cast

import numpy as np
from django.core.cache import cache

from apps.crawls.measures.estimates import shown_value
from apps.crawls.models import Crawl
from apps.engine.evaluation import numbers
from apps.engine.model import Floats, Longs
from apps.figures.downsampling import sample_points

KEPT_SECONDS = 24 * 3600
MOST_POINTS = 400


class CurveAxis(StrEnum):
    """The axis of a curve: pages fetched, or minutes at work."""

    PAGES = "pages"
    MINUTES = "minutes"


@dataclass(frozen=True, slots=True)
class Best:
    """The best value of a curve, and where it was first reached."""

    value: float
    at: float


@dataclass(frozen=True, slots=True)
class MeasureCurve:
    """Finite values `y` of one measure over `x`, which never falls; at least one point."""

    x: Floats
    y: Floats

    @property
    def final(self) -> float:
        return float(self.y[-1])

    def best(self, less_is_better: bool = False, after: float = 0.0) -> Best | None:
        """The highest value, or the lowest if that is better, from `after` on."""
        late = np.flatnonzero(self.x >= after)
        if not len(late):
            return None
        values = self.y[late]
        best = late[values.argmin() if less_is_better else values.argmax()]
        return Best(float(self.y[best]), float(self.x[best]))

    def area(self, start: float, end: float) -> float | None:
        """The mean height between two points of the axis, interpolated linearly: the area over the
        distance. None if the two are equal or the curve does not cover the span."""
        if not self.x[0] <= start < end <= self.x[-1]:
            return None
        inside = (self.x > start) & (self.x < end)
        ends = np.interp([start, end], self.x, self.y)
        x = np.concatenate([[start], self.x[inside], [end]])
        y = np.concatenate([ends[:1], self.y[inside], ends[1:]])
        return float(np.trapezoid(y, x) / (end - start))

    def thinned(self, limit: int = MOST_POINTS) -> MeasureCurve:
        """At most so many points to draw, including each stretch's minimum and maximum."""
        samples = sample_points(self.y, limit)
        return MeasureCurve(self.x[samples], self.y[samples])


@dataclass(frozen=True, slots=True)
class CrawlCourse:
    """The samples of a crawl and its present state.

    `pages` grow from sample to sample; `minutes` are the working time until then. `values` has the
    values of each measure and count by name; unknown ones are NaN.
    """

    pages: Longs
    minutes: Floats
    values: Mapping[str, Floats]

    def along(self, axis: CurveAxis) -> Floats:
        """The positions of the samples on an axis."""
        return self.minutes if axis is CurveAxis.MINUTES else self.pages.astype(np.float64)

    def curve(self, name: str, axis: CurveAxis = CurveAxis.PAGES) -> MeasureCurve | None:
        """One measure over an axis, or None if it has no value."""
        x, y = self.along(axis), self.values[name]
        defined = np.isfinite(x) & np.isfinite(y)
        return MeasureCurve(x[defined], y[defined]) if defined.any() else None

    def at(self, pages: int, name: str) -> float | None:
        """The value at exactly so many pages, or None if there is no sample or no value."""
        samples = np.flatnonzero(self.pages == pages)
        value = float(self.values[name][samples[0]]) if len(samples) else np.nan
        return None if np.isnan(value) else value


def course(crawl: Crawl) -> CrawlCourse:
    """The course of a crawl as far as it is stored, cached until the crawl goes on."""
    key = f"course-2-{crawl.pk}-{crawl.commits}-{crawl.pages}"
    return cast(CrawlCourse, cache.get_or_set(key, lambda: _read(crawl), KEPT_SECONDS))


def _read(crawl: Crawl) -> CrawlCourse:
    samples = list(crawl.samples.order_by("seq").values_list("pages", "metrics"))
    if crawl.pages > (samples[-1][0] if samples else 0):
        samples.append((crawl.pages, {**crawl.metrics, "active_seconds": crawl.seconds}))
    return CrawlCourse(
        pages=np.array([pages for pages, _ in samples], np.int64),
        minutes=_column(samples, "active_seconds") / 60,
        values={name: _column(samples, name) for name in numbers()},
    )


def _column(samples: list[tuple[int, dict[str, Any]]], name: str) -> Floats:
    values = (shown_value(metrics, name) for _, metrics in samples)
    return np.array([np.nan if value is None else value for value in values], np.float64)


def common_pages(courses: list[CrawlCourse]) -> int | None:
    """The largest number of pages at which every course has a sample, or None."""
    shared = set.intersection(*({*course.pages.tolist()} for course in courses))
    return max(shared, default=None)
