"""The mean course of a measure over topics, with its standard error (LC Fig. 5–9)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from apps.engine.evaluation.measure import Measure
from apps.engine.model import Floats, Longs
from apps.experiments.results.outcomes import Outcomes


@dataclass(frozen=True, slots=True)
class MeanTrajectory:
    """A crawler's mean, its standard error and the number of topics with a value, for each page of
    the grid; NaN where unknown."""

    index: int
    label: str
    mean: Floats
    error: Floats
    topics: Longs


def trajectories(outcomes: Outcomes, measure: type[Measure]) -> tuple[MeanTrajectory, ...]:
    """One for each crawler, in their order."""
    curves = outcomes.curves(measure.id)
    return tuple(
        _trajectory(index, crawler.label, curves[:, index])
        for index, crawler in enumerate(outcomes.crawlers)
    )


def _trajectory(index: int, label: str, curves: Floats) -> MeanTrajectory:
    defined = np.ma.masked_invalid(curves)
    topics = defined.count(axis=0)
    error = defined.std(axis=0, ddof=1) / np.sqrt(np.maximum(topics, 1))
    return MeanTrajectory(
        index,
        label,
        np.ma.filled(defined.mean(axis=0), np.nan),
        np.ma.filled(error, np.nan),
        topics,
    )
