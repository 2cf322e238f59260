"""The course of a crawl: its measures at its samples, and summaries of their curves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from django.core.cache import cache

from apps.crawls.models import Crawl
from apps.engine.evaluation import numbers
from apps.engine.model import Floats, Longs
from apps.figures.downsampling import kept

KEPT_SECONDS = 24 * 3600
MOST_POINTS = 400


class Axis(StrEnum):
    """The axis of a curve: pages fetched, or minutes at work."""

    PAGES = "pages"
    MINUTES = "minutes"


@dataclass(frozen=True, slots=True)
class Best:
    """The best value of a curve, and where it was first reached."""

    value: float
    at: float


@dataclass(frozen=True, slots=True)
class Curve:
    """Known values `y` of one measure over `x`, which never falls; at least one point."""

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
        place = late[values.argmin() if less_is_better else values.argmax()]
        return Best(float(self.y[place]), float(self.x[place]))

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

    def thinned(self, limit: int = MOST_POINTS) -> Curve:
        """At most so many points to draw, including each stretch's minimum and maximum."""
        places = kept(self.y, limit)
        return Curve(self.x[places], self.y[places])


@dataclass(frozen=True, slots=True)
class Course:
    """The samples of a crawl and its present state.

    `pages` grow from sample to sample; `minutes` are the working time until then. `values` has the
    values of each measure and count by name; unknown ones are NaN.
    """

    pages: Longs
    minutes: Floats
    values: Mapping[str, Floats]

    def along(self, axis: Axis) -> Floats:
        """The positions of the samples on an axis."""
        return self.minutes if axis is Axis.MINUTES else self.pages.astype(np.float64)

    def curve(self, name: str, axis: Axis = Axis.PAGES) -> Curve | None:
        """One measure over an axis, or None if no value is known."""
        x, y = self.along(axis), self.values[name]
        known = np.isfinite(x) & np.isfinite(y)
        return Curve(x[known], y[known]) if known.any() else None

    def at(self, pages: int, name: str) -> float | None:
        """The value at exactly so many pages, or None if there is no sample or no value."""
        place = np.flatnonzero(self.pages == pages)
        value = float(self.values[name][place[0]]) if len(place) else np.nan
        return None if np.isnan(value) else value


def course(crawl: Crawl) -> Course:
    """The course of a crawl as far as it is stored, cached until the crawl goes on."""
    key = f"course-1-{crawl.pk}-{crawl.commits}-{crawl.pages}"
    found: Course = cache.get_or_set(key, lambda: _read(crawl), KEPT_SECONDS)
    return found


def _read(crawl: Crawl) -> Course:
    samples = list(crawl.samples.order_by("seq").values_list("pages", "metrics"))
    if crawl.pages > (samples[-1][0] if samples else 0):
        samples.append((crawl.pages, {**crawl.metrics, "active_seconds": crawl.seconds}))
    return Course(
        pages=np.array([pages for pages, _ in samples], np.int64),
        minutes=_column(samples, "active_seconds") / 60,
        values={name: _column(samples, name) for name in numbers()},
    )


def _column(samples: list[tuple[int, dict[str, Any]]], name: str) -> Floats:
    found = (metrics.get(name) for _, metrics in samples)
    return np.array([np.nan if value is None else value for value in found], np.float64)


def common_pages(courses: list[Course]) -> int | None:
    """The largest number of pages at which every course has a sample, or None."""
    shared = set.intersection(*({*course.pages.tolist()} for course in courses))
    return max(shared, default=None)
