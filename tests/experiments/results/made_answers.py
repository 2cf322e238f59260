"""Experiments of numbers, for questions about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from apps.experiments.results.outcomes import Outcomes
from tests.experiments.made_outcomes import made

NAMES = ("full_page", "apprentice", "breadth_first", "hits")
SAMPLES = 10


def flat(
    ends: Sequence[Sequence[float | None]], measure: str = "target_recall", **values: Any
) -> Outcomes:
    """Crawls of 100 pages whose measure stays the same: a row of `ends` for each topic, a value for
    each crawler, None for a cell that has not finished.

    The baseline is Full page; then come Apprentice, Breadth-first and HITS.
    """
    cells = {
        (topic, crawler): {measure: [value] * SAMPLES}
        for topic, row in enumerate(ends)
        for crawler, value in enumerate(row)
        if value is not None
    }
    values = {"measure": measure, "crawlers": NAMES[: len(ends[0])], **values}
    values.setdefault("topics", [f"topic {position}" for position in range(len(ends))])
    return made(values=cells, **values)


def spread(topics: int, *gains: float, noise: float = 0.02, seed: int = 1) -> list[list[float]]:
    """Rows for `flat`: a baseline, and crawlers that find so much more of each topic."""
    rng = np.random.default_rng(seed)
    base = rng.uniform(0.3, 0.6, topics)
    return [
        [value, *(value + gain + rng.normal(0, noise) for gain in gains)] for value in base.tolist()
    ]


def with_state(results: Outcomes, state: str) -> Outcomes:
    """The same in another state of the experiment."""
    results.experiment.state = state
    return results


def plain(text: str) -> str:
    """A text with ordinary spaces."""
    return text.replace("\u202f", " ")
