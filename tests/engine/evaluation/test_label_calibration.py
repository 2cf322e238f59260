"""Labels against the judges' chances: the same by another way, and on made judges."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from apps.engine.evaluation.label_calibration import calibrate


def some(pages: int = 400, labels: int = 40) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(8)
    chances, times = 0.05 + 0.9 * rng.random(pages), np.arange(1, pages + 1)
    labelled = np.sort(rng.choice(pages, labels, replace=False))
    truth = rng.random(labels) < chances[labelled] * np.linspace(0.9, 0.1, labels)
    return chances, times, labelled, truth, times > pages / 2


def test_the_correction_is_the_most_probable_one() -> None:
    chances, times, labelled, truth, late = some()
    log_times = np.log(times / times.mean())

    def corrected(by: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-(np.log(chances / (1 - chances)) + by[0] + by[1] * log_times)))

    def surprise(by: np.ndarray) -> float:
        message = corrected(by)[labelled]
        of_labels = -np.log(np.where(truth, message, 1 - message)).sum()
        return of_labels + by[0] ** 2 / (2 * 4**2) + by[1] ** 2 / (2 * 2**2)

    best = minimize(surprise, [0.0, 0.0]).x
    calibrated, doubt = calibrate(chances, times, labelled, truth, late)
    assert best[1] < -0.2
    assert calibrated == pytest.approx(corrected(best), abs=1e-3)
    unknown = late & ~np.isin(np.arange(len(times)), labelled)
    # By the delta method, a quarter of the variance that the two numbers give to the sum.
    rows = np.column_stack((np.ones(len(times)), log_times))
    spread = calibrated * (1 - calibrated)
    curvature = (rows * spread[:, None])[labelled].T @ rows[labelled] + np.diag([4.0**-2, 2.0**-2])
    slope = (rows * spread[:, None])[unknown].sum(axis=0)
    of_two = slope @ np.linalg.inv(curvature) @ slope
    assert doubt == pytest.approx(spread[unknown].sum() + of_two / 4, rel=1e-3)


def test_labels_that_agree_change_little_and_sure_judges_can_be_wrong() -> None:
    chances, times = np.full(200, 0.9), np.arange(1, 201)
    labelled, late = np.arange(0, 200, 10), np.arange(200) >= 100
    agree, _ = calibrate(chances, times, labelled, np.arange(20) % 10 > 0, late)
    assert agree.mean() == pytest.approx(0.9, abs=0.03)
    sure, _ = calibrate(np.ones(200), times, labelled, np.zeros(20, np.bool_), late)
    assert sure.max() < 0.5


def test_the_fewer_labels_the_more_doubt() -> None:
    chances, times, labelled, truth, late = some()
    few, many = (calibrate(chances, times, labelled[:n], truth[:n], late)[1] for n in (5, 40))
    assert few > many
