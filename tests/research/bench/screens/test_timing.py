"""What is computed of several answers of a screen; none is asked here."""

from __future__ import annotations

from apps.research.bench.screens.timing import p95


def test_the_95th_percentile_is_the_least_value_that_95_of_100_do_not_exceed() -> None:
    assert p95([*range(1, 101)]) == 95
    assert p95([3.0, 1.0, 2.0]) == 3.0
    assert p95([7.0]) == 7.0
