from __future__ import annotations

import pytest

from tests.months.made_months import GOOD


@pytest.mark.parametrize("figures", [{"recall": 0.89}, {"share": 0.11}, {"missed": 1}])
def test_each_goal_counts(figures: dict[str, float]) -> None:
    assert GOOD.reaches_goals
    assert not GOOD.model_copy(update=figures).reaches_goals
