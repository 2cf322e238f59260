"""A crawl's samples as curves to draw, and the difference between two states of them."""

from __future__ import annotations

import math
from array import array
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from apps.crawls.charts import CHARTS, CLOCK, keys
from apps.crawls.charts.chart import Chart
from apps.crawls.measures.estimates import shown_values
from apps.engine.model import Floats
from apps.figures.downsampling import sample_points
from apps.figures.units import UNITS


@dataclass(frozen=True, slots=True)
class TracePoints:
    """The points of one trace from its first known value on: pages fetched, and a value or None if
    unknown."""

    x: list[int]
    y: list[float | None]


@dataclass(frozen=True, slots=True)
class Splice:
    """Keeps the first `keep` points of a trace, or those whose bit is set in `keep` (base64, the
    highest bit of a byte first), and appends these."""

    keep: int | str
    x: list[int]
    y: list[float | None]


MASK_POINTS = 12
"""So many points take as much room as a bit for each of a thousand."""

Curves = dict[str, list[TracePoints]]
# None: nothing to splice.
Splices = dict[str, list[Splice | None]]


@dataclass(slots=True)
class LiveTrajectory:
    """The samples of one crawl as columns, ordered by `seq` (counted from 1 without gaps).

    What is asked at each update, the ends of a curve, is kept, so that an update costs the same
    after a million pages.
    """

    pages: array[int] = field(default_factory=lambda: array("q"))
    columns: dict[str, array[float]] = field(
        default_factory=lambda: {key: array("d") for key in keys()}
    )
    latest: Mapping[str, Any] = field(default_factory=dict)
    _bounds: dict[str, tuple[float, float]] = field(default_factory=dict)
    _without_time: int = 0

    @property
    def seq(self) -> int:
        return len(self.pages)

    def extend(self, samples: Iterable[tuple[int, int, Mapping[str, Any]]]) -> None:
        """Appends (seq, pages, metrics) of the next samples; stops at a missing number."""
        pages: list[int] = []
        read: list[Mapping[str, Any]] = []
        for seq, at, metrics in samples:
            if seq != self.seq + len(pages) + 1:
                break
            pages.append(at)
            read.append(metrics)
        if not read:
            return
        self.pages.extend(pages)
        self.latest = read[-1]
        measured = set().union(*read)
        for key, column in self.columns.items():
            values = np.full(len(read), np.nan)
            if key in measured:
                values = _rounded(np.array(shown_values(read, key), np.float64))
            column.frombytes(values.tobytes())
            finite = values[~np.isnan(values)]
            if finite.size:
                low, high = self._bounds.get(key, (np.inf, -np.inf))
                self._bounds[key] = min(low, float(finite.min())), max(high, float(finite.max()))
            if key == CLOCK:
                self._without_time += len(values) - len(finite)

    def has(self, key: str) -> bool:
        """Whether any sample has a value of that measure."""
        return key in self._bounds

    def bounds(self, key: str) -> tuple[float, float] | None:
        """Minimum and maximum so far, or None."""
        return self._bounds.get(key)

    def curves(self, until: int | None = None) -> Curves:
        """The curves of the charts with samples up to number `until` (default: all).

        By chart id a curve for each line, and under `clock` the active seconds at those pages.
        """
        end = self.seq if until is None else until
        drawn = {chart.id: [self._curve(line.key, end) for line in chart.lines] for chart in CHARTS}
        return drawn | {"clock": [self._curve(CLOCK, end)]}

    def _curve(self, key: str, end: int) -> TracePoints:
        column = self.columns[key]
        # A copy, since an array that is looked into cannot grow.
        values = np.array(column[:end], np.float64)
        finite = np.flatnonzero(~np.isnan(values))
        chosen = (
            [i for i in sample_points(values).tolist() if i >= finite[0]] if len(finite) else []
        )
        return TracePoints(
            x=[self.pages[i] for i in chosen],
            y=[None if math.isnan(column[i]) else column[i] for i in chosen],
        )

    def ceiling(self, chart: Chart) -> float:
        """The upper end of the chart's axis of values, by its unit."""
        tops = [bounds[1] for line in chart.lines if (bounds := self.bounds(line.key))]
        return UNITS[chart.unit].ceiling(max(tops, default=0.0))

    def pages_ceiling(self) -> int:
        """The upper end of the axis of pages: a little beyond the last sample, at least 100."""
        last = self.pages[-1] if self.pages else 0
        return max(100, math.ceil(last * 1.03))

    def minutes_ceiling(self) -> float | None:
        """The upper end of the axis of active minutes, at least 1; None if a sample has no time."""
        seconds = self.columns[CLOCK]
        if self._without_time:
            return None
        return max(1.0, round(1.03 * seconds[-1] / 60, 2)) if seconds else 1.0


def splices(before: Curves, after: Curves) -> Splices:
    """The splices that turn the curves `before` into `after`, trace by trace."""
    return {
        chart: [_splice(old, new) for old, new in zip(before[chart], curves, strict=True)]
        for chart, curves in after.items()
    }


def _rounded(values: Floats) -> Floats:
    """Values as precisely as they are drawn and read: to five digits."""
    digits = np.log10(np.abs(values), out=np.zeros_like(values), where=values != 0)
    power = np.floor(digits) - 4
    up, down = 10.0 ** np.maximum(-power, 0), 10.0 ** np.maximum(power, 0)
    return np.asarray(np.round(values * up / down) * down / up)


def _splice(old: TracePoints, new: TracePoints) -> Splice | None:
    if old == new:
        return None
    shared = min(len(old.x), len(new.x))
    same = next((i for i in range(shared) if old.x[i] != new.x[i] or old.y[i] != new.y[i]), shared)
    left = _count_left(old, new)
    if left - same < MASK_POINTS:
        return Splice(same, new.x[same:], new.y[same:])
    bits = np.packbits(np.isin(old.x, new.x[:left]))
    return Splice(b64encode(bits.tobytes()).decode(), new.x[left:], new.y[left:])


def _count_left(old: TracePoints, new: TracePoints) -> int:
    """How many points the new curve begins with that the old one has too."""
    before = dict(zip(old.x, old.y, strict=True))
    points = zip(new.x, new.y, strict=True)
    return next((i for i, (x, y) in enumerate(points) if before.get(x, math.nan) != y), len(new.x))
