from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apps.engine.intelligence.classifying.calibration import (
    Sigmoid,
    fit_sigmoid,
    log_odds,
    logistic,
)


def test_logistic_stays_finite():
    assert logistic(np.array([-1e9, 0.0, 1e9])).tolist() == [0.0, 0.5, 1.0]


def test_it_fits_platts_sigmoid_as_scikit_learn_does():
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.svm import LinearSVC

    rng = np.random.default_rng(4)
    x = rng.normal(size=(60, 3))
    y = (x[:, 0] + rng.normal(size=60)) > 0.5
    folds = [
        (np.flatnonzero(np.arange(60) % 3 != i), np.flatnonzero(np.arange(60) % 3 == i))
        for i in range(3)
    ]
    margins = np.zeros(60)
    for seen, unseen in folds:
        model = LinearSVC(random_state=0).fit(x[seen], y[seen])
        margins[unseen] = model.decision_function(x[unseen])
    theirs = CalibratedClassifierCV(LinearSVC(random_state=0), cv=folds, ensemble=False).fit(x, y)
    theirs = theirs.calibrated_classifiers_[0].calibrators[0]
    ours = fit_sigmoid(margins, y)
    assert ours.slope == pytest.approx(-theirs.a_, rel=1e-3)
    assert ours.intercept == pytest.approx(-theirs.b_, rel=1e-3, abs=1e-3)


@given(st.lists(st.tuples(st.floats(-5, 5), st.booleans()), min_size=2, max_size=30))
@example([(0.0, False), (-5e-324, False)])
def test_it_never_turns_the_order_round(pairs):
    margins = np.array([margin for margin, _ in pairs])
    relevant = np.array([label for _, label in pairs])
    sigmoid = fit_sigmoid(margins, relevant)
    assert sigmoid.slope > 0
    assert np.isfinite([sigmoid.slope, sigmoid.intercept]).all()


def test_margins_that_mean_nothing_keep_the_papers_slope_and_the_prior():
    relevant = np.arange(30) % 3 == 0
    sigmoid = fit_sigmoid(np.where(relevant, -1.0, 1.0), relevant)
    assert sigmoid.slope == 1.0
    assert sigmoid(np.where(relevant, -1.0, 1.0)).mean() == pytest.approx(1 / 3, abs=0.03)


def test_weights_count_like_copies():
    margins, relevant = np.array([-2.0, -1.0, 0.5, 1.0]), np.array([False, True, False, True])
    doubled = fit_sigmoid(margins, relevant, np.array([1.0, 2.0, 1.0, 1.0]))
    copied = fit_sigmoid(np.append(margins, -1.0), np.append(relevant, True))
    assert (doubled.slope, doubled.intercept) == pytest.approx(
        (copied.slope, copied.intercept), abs=1e-4
    )


def test_an_example_of_weight_zero_changes_nothing():
    margins, relevant = np.array([-2.0, -1.0, 0.5, 1.0]), np.array([False, True, False, True])
    plain = fit_sigmoid(margins, relevant)
    weights = np.array([1.0, 1, 1, 1, 0])
    more = fit_sigmoid(np.append(margins, 9.0), np.append(relevant, False), weights)
    assert (plain.slope, plain.intercept) == pytest.approx((more.slope, more.intercept), abs=1e-4)


def test_a_sigmoid_is_half_where_its_line_crosses_zero():
    assert Sigmoid(2.0, -1.0)(np.array([0.5])).tolist() == [0.5]


def test_log_odds_undo_the_logistic_function():
    values = np.array([-20.0, -2, 0, 0.5, 12])
    assert log_odds(logistic(values)) == pytest.approx(values)
    assert log_odds(np.array([0.0, 1.0])).tolist() == [-np.inf, np.inf]


def test_a_sigmoid_gives_the_log_odds_of_its_probabilities():
    sigmoid = Sigmoid(2.0, -1.0)
    assert sigmoid.log_odds(np.array([0.0, 3.0])).tolist() == [-1, 5]
