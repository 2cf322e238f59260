"""The first swing of α and its way back, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from apps.papers.swings import swing_and_return

GRID = np.array([100, 200, 300, 400, 500])


def swings(*alpha: float) -> tuple[float, float]:
    swing, back = swing_and_return(np.array([[alpha]]), GRID[: len(alpha)])
    return swing.item(), back.item()


def test_an_alpha_that_spikes_comes_back_by_what_it_loses_on_average():
    # At most .8 within 300 pages; later .7 and .6, on average .65.
    assert swings(0.6, 0.8, 0.75, 0.7, 0.6) == pytest.approx((0.3, 0.15))


def test_an_alpha_that_drops_comes_back_by_what_it_gains():
    assert swings(0.4, 0.3, 0.35, 0.4, 0.6) == pytest.approx((-0.2, 0.2))


def test_an_alpha_that_moves_on_has_come_back_by_less_than_nothing():
    assert swings(0.6, 0.7, 0.8, 0.9, 1.0) == pytest.approx((0.3, -0.15))


def test_a_crawl_that_ends_within_the_start_has_no_way_back():
    swing, back = swings(0.6, 0.7, 0.8)
    assert swing == pytest.approx(0.3) and np.isnan(back)


def test_a_crawler_without_alpha_has_neither():
    nothing = [np.nan] * 5
    assert np.isnan(swings(*nothing)).all()
