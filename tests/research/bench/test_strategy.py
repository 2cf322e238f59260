"""The cost of strategies on a web made for it; no test looks at how long they take."""

from __future__ import annotations

from apps.research.bench.strategy import strategy_costs


def test_every_strategy_crawls_as_far_with_a_queue_that_grows():
    by_strategy = strategy_costs(["full_page", "breadth_first"], 40)
    for costs in by_strategy.values():
        assert costs[-1].pages == 40
        assert costs[-1].waiting > 1_000
        assert all(each.microseconds > 0 for each in costs)
