from __future__ import annotations

import math

import numpy as np
import pytest

from apps.engine.intelligence.cold_start.list_calibration import calibrate


def test_without_labels_the_chances_are_the_guides():
    prior = calibrate(np.empty(0), np.empty(0, np.bool_))
    assert (prior.slope, prior.intercept) == pytest.approx((1.5, -2.0))


def test_labels_at_the_mean_move_the_offset_alone():
    # At deviation 0 only the offset o counts. Its posterior is stationary where
    # n·σ(o) − yes + (o + 2)/1.5² = 0; eight of ten labels are relevant.
    fitted = calibrate(np.zeros(10), np.arange(10) < 8)
    assert fitted.slope == pytest.approx(1.5)
    o = fitted.intercept
    assert 10 / (1 + math.exp(-o)) - 8 + (o + 2) / 2.25 == pytest.approx(0, abs=1e-9)
    assert -2 < o < math.log(8 / 2)


def test_labels_against_the_order_make_it_flatter_and_keep_it_rising():
    deviations = np.array([2.0, 1.5, 1.0, -0.5, -1.0, -1.5])
    along = calibrate(deviations, np.array([1, 1, 1, 0, 0, 0], np.bool_))
    against = calibrate(deviations, np.array([0, 0, 0, 1, 1, 1], np.bool_))
    assert against.slope < 1.5 < along.slope


@pytest.mark.parametrize("deviation", [1.0, 4.0, 5.0, 8.0])
def test_half_of_pages_far_from_the_mean_lowers_their_chance_to_near_a_half(deviation):
    # Where the guide is all but sure, an undamped step of Newton's method leads away.
    fitted = calibrate(np.full(8, deviation), np.arange(8) < 4)
    assert 0 < fitted.slope < 1.6
    assert float(fitted(np.array([deviation]))[0]) == pytest.approx(0.5, abs=0.08)
