from __future__ import annotations

import pytest

from apps.months.month import MonthResult
from apps.months.result import PolicyResult
from tests.months.made_months import GOOD


@pytest.mark.parametrize("figures", [{"recall": 0.89}, {"share": 0.11}, {"missed": 1}])
def test_each_goal_counts(figures: dict[str, float]) -> None:
    assert GOOD.reaches_goals
    assert not GOOD.model_copy(update=figures).reaches_goals


def test_a_month_without_births_has_no_recall_and_shows_no_goal() -> None:
    # As an earlier version stored it.
    stored = GOOD.model_dump() | {"born": 0, "seen": 0, "recall": 0.0}
    result = PolicyResult.read(stored)
    assert result.recall is None and not result.reaches_goals
    month = MonthResult("adaptive", requests=10, full=100)
    assert (month.recall, PolicyResult.of(month).recall, month.freshness) == (None, None, None)
