"""The mean course of a measure over topics, with its standard error (LC Fig. 5–9)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from apps.engine.evaluation.measure import Measure
from apps.engine.model import Floats, Longs
from apps.experiments.outcomes import Outcomes


@dataclass(frozen=True, slots=True)
class Trajectory:
    """A crawler's mean, its standard error and the number of topics with a value, for each page of
    the grid; NaN where unknown."""

    place: int
    label: str
    mean: Floats
    error: Floats
    topics: Longs


def trajectories(found: Outcomes, measure: type[Measure]) -> tuple[Trajectory, ...]:
    """One for each crawler, in their order."""
    curves = found.curves(measure.id)
    return tuple(_trajectory(place, crawler.label, curves[:, place])
                 for place, crawler in enumerate(found.crawlers))


def _trajectory(place: int, label: str, curves: Floats) -> Trajectory:
    known = np.ma.masked_invalid(curves)
    topics = known.count(axis=0)
    error = known.std(axis=0, ddof=1) / np.sqrt(np.maximum(topics, 1))
    return Trajectory(place, label, np.ma.filled(known.mean(axis=0), np.nan),
                      np.ma.filled(error, np.nan), topics)
