"""The values of a measure, by topic and crawler, at a moment or as area."""

from __future__ import annotations

import numpy as np

from apps.engine.evaluation.significance import Estimate, estimate
from apps.engine.model import Floats
from apps.experiments.cells.result import known
from apps.experiments.outcomes import Outcomes


def table(found: Outcomes, measure: str, at: int | None) -> Floats:
    """A measure, topics × crawlers: at a number of pages, or as area if that is None.

    The mean over repetitions; NaN where it is unknown. A crawl that ended before has its last
    value.
    """
    return area(found.curves(measure)) if at is None else found.values(measure, at)


def area(curves: Floats) -> Floats:
    """The mean height of curves (topics × crawlers × samples), topics × crawlers.

    It is taken over the samples at which every crawler of the topic has a value, so that no crawler
    is measured over another part of the crawl. A crawler without any value in a topic does not
    count there and has NaN.
    """
    finite = np.isfinite(curves)
    has = finite.any(axis=2)
    shared = (finite | ~has[:, :, None]).all(axis=1)
    left_out = ~(finite & shared[:, None, :])
    heights: Floats = np.ma.masked_array(curves, left_out).mean(axis=2)
    return np.ma.filled(heights, np.nan)


def over_topics(column: Floats) -> Estimate:
    """The mean over the topics with a value, and its standard error."""
    return estimate(known(column).tolist())
