"""How relevant each page of a cell is: by the judge or, if there is none, by the critic."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from apps.engine.model import Floats
from apps.experiments.results.outcomes import Outcome

JUDGE, CRITIC = "judge’s P(c|v)", "critic’s P(c|v)"
UNRATED = "No page has been rated, by a judge or by a classifier that guides"


def scored_by(cells: Iterable[Outcome]) -> str:
    """The title of the axis of scores: the judge’s if any cell has one."""
    has_judge = any(np.isfinite(cell.result.pages.numbers["probability"]).any() for cell in cells)
    return JUDGE if has_judge else CRITIC


def scores(cell: Outcome, by: str) -> Floats:
    """P(c|v) of each page, NaN if unknown."""
    column = "probability" if by == JUDGE else "topicality"
    scores: Floats = cell.result.pages.numbers[column]
    return scores
