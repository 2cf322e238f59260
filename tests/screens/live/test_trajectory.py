from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.crawls.charts import CHARTS
from apps.crawls.charts.recall import RECALL
from apps.crawls.charts.status import STATUS
from apps.screens.live.payloads import as_json
from apps.screens.live.trajectory import Curves, LiveTrajectory, Splices, TracePoints, splices
from tests.crawl_rows import metrics_at
from tests.screens.live.splice_reader import splice


def trajectory(samples: int) -> LiveTrajectory:
    made = LiveTrajectory()
    made.extend((seq, 10 * seq, metrics_at(10 * seq)) for seq in range(1, samples + 1))
    return made


def spliced(curves: Curves, change: Splices) -> Curves:
    """What a page that shows `curves` shows once it has applied `change`."""
    return {
        chart: [
            TracePoints(splice(curve.x, each.keep, each.x), splice(curve.y, each.keep, each.y))
            if each
            else curve
            for curve, each in zip(curves[chart], change[chart], strict=True)
        ]
        for chart in curves
    }


@settings(deadline=None, max_examples=30)
@given(st.lists(st.integers(0, 900), min_size=1, max_size=6))
def test_streaming_in_any_steps_draws_what_a_reload_draws(steps: list[int]) -> None:
    made = trajectory(sum(steps))
    drawn, at = made.curves(0), 0
    for step in steps:
        drawn = spliced(drawn, splices(made.curves(at), made.curves(at + step)))
        at += step
    assert drawn == made.curves()


def test_unknown_values_are_none_and_stay_gaps_after_the_first_known_one() -> None:
    made = LiveTrajectory()
    values = (None, 0.5, None, 0.7)
    made.extend((i, 10 * i, {"harvest_rate": value}) for i, value in enumerate(values, 1))
    assert made.curves()["harvest"][0] == TracePoints([20, 30, 40], [0.5, None, 0.7])


def test_a_vague_estimate_of_recall_is_a_gap_between_its_bounds() -> None:
    made = LiveTrajectory()
    for i, (low, high) in enumerate([(0.4, 0.6), (0.05, 0.9), (0.45, 0.55)], 1):
        bounds = {"estimated_recall_low": low, "estimated_recall_high": high}
        made.extend([(i, 10 * i, {"estimated_recall": 0.5, "relevant_soon": 9.0, **bounds})])
    drawn = dict(zip([line.key for line in RECALL.lines], made.curves()["recall"], strict=True))
    assert drawn["estimated_recall"] == TracePoints([10, 20, 30], [0.5, None, 0.5])
    assert drawn["estimated_recall_low"].y == [0.4, 0.05, 0.45]
    assert drawn["estimated_recall_high"].y == [0.6, 0.9, 0.55]


def test_values_are_sent_as_precisely_as_they_are_read() -> None:
    made = LiveTrajectory()
    made.extend([(1, 10, {"harvest_rate": 2 / 3, "active_seconds": 12345.678})])
    assert made.curves()["harvest"][0].y == [0.66667]
    assert made.curves()["clock"][0].y == [12346.0]


def test_a_curve_with_nothing_new_is_not_sent() -> None:
    made = trajectory(3)
    change = splices(made.curves(2), made.curves())
    quiet = [line.key for line in STATUS.lines].index("average_status")
    assert change["status"][quiet] is None
    assert change["harvest"][0].x == [30]


def test_the_ends_of_a_curve_are_those_of_all_its_values_however_they_came() -> None:
    made, values = LiveTrajectory(), [None, 0.5, 0.7, None, 0.2, 0.6, 0.9, None]
    assert not made.has("harvest_rate") and made.bounds("harvest_rate") is None
    for i, value in enumerate(values, 1):
        made.extend([(i, 10 * i, {"harvest_rate": value})])
        defined = [each for each in values[:i] if each is not None]
        assert made.has("harvest_rate") == bool(defined)
        assert made.bounds("harvest_rate") == ((min(defined), max(defined)) if defined else None)


def test_it_stops_at_a_missing_number() -> None:
    made = LiveTrajectory()
    made.extend([(1, 10, {}), (3, 30, {})])
    assert made.seq == 1
    made.extend([(2, 20, {}), (3, 30, {})])
    assert made.pages.tolist() == [10, 20, 30]


def test_a_short_splice_is_enough_for_a_few_new_samples() -> None:
    made = trajectory(2100)
    change = splices(made.curves(2090), made.curves())
    assert max(len(s.x) for chart in CHARTS for s in change[chart.id] if s) < 20


@pytest.mark.parametrize("samples", [1000, 1990, 3985])
def test_curves_that_are_thinned_out_say_which_points_are_left(samples: int) -> None:
    chance = np.random.default_rng(5)
    made = LiveTrajectory()
    for seq in range(1, samples + 11):
        level = chance.random()
        made.extend([(seq, 10 * seq, metrics_at(10 * seq) | {"harvest_rate": level})])
    before, after = made.curves(samples), made.curves()
    change = splices(before, after)
    assert len(after["harvest"][0].x) < 0.6 * len(before["harvest"][0].x)
    assert isinstance(change["harvest"][0].keep, str)
    assert max(len(s.x) for each in change.values() for s in each if s) < 20
    assert sum(len(as_json(s)) for each in change.values() for s in each) < 5_000
    assert spliced(before, change) == after


def test_axes_end_a_little_beyond_the_data() -> None:
    made = trajectory(100)
    assert made.pages_ceiling() == 1030
    assert made.minutes_ceiling() == 3.43
    assert made.ceiling(STATUS) == 4.0
    made.extend([(101, 1010, metrics_at(1010, status_recent=7.2))])
    assert made.ceiling(STATUS) == 8.0
    assert (LiveTrajectory().pages_ceiling(), LiveTrajectory().ceiling(STATUS)) == (100, 4.0)


def test_the_clock_gives_active_seconds_at_pages_and_no_axis_where_one_is_missing() -> None:
    made = trajectory(3)
    assert made.curves()["clock"] == [TracePoints([10, 20, 30], [2.0, 4.0, 6.0])]
    assert made.minutes_ceiling() == LiveTrajectory().minutes_ceiling() == 1.0
    made.extend([(4, 40, {"harvest_rate": 0.5})])
    assert made.minutes_ceiling() is None


@given(st.lists(st.floats(-1e9, 1e9).filter(lambda x: x == 0 or abs(x) > 1e-9), min_size=1))
def test_all_values_have_five_digits_however_many_come_at_once(values: list[float]) -> None:
    made = LiveTrajectory()
    made.extend((i, 10 * i, {"harvest_rate": value}) for i, value in enumerate(values, 1))
    drawn = np.array(made.columns["harvest_rate"])
    expected = [float(f"{value:.5g}") for value in values]
    # A value in the middle of two may be rounded to either.
    assert np.allclose(drawn, expected, rtol=1.01e-4, atol=0)
    assert [float(f"{value:.5g}") for value in drawn] == drawn.tolist()
