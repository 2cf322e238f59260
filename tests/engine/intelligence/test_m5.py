from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.engine.intelligence.m5 import LinearModel, ModelTree, best_split, linear_model

DATA = st.integers(0, 2**32 - 1)


def column(values) -> np.ndarray:
    return np.array(values, float).reshape(-1, 1)


def test_a_split_by_hand():
    """Values 1 2 3 4, targets 0 0 6 6: sd 3 falls to 0 between 2 and 3."""
    split = best_split(column([1, 2, 3, 4]), np.array([0.0, 0, 6, 6]), least=1)
    assert (split.feature, split.threshold) == (0, 2.5)
    assert split.gain == pytest.approx(3.0)


def test_a_split_keeps_enough_examples_on_both_sides():
    """The best cut leaves one example alone; with two a side sd(0 0) and sd(0 8) remain."""
    x, y = column([1, 2, 3, 4]), np.array([0.0, 0, 0, 8])
    split = best_split(x, y, least=2)
    assert split.threshold == 2.5
    assert split.gain == pytest.approx(y.std() - 4 / 2)
    assert best_split(x, y, least=3) is None


def test_equal_values_are_never_parted():
    assert best_split(column([5, 5, 5, 5]), np.array([0.0, 1, 2, 3]), least=1) is None


@given(DATA, st.integers(2, 25), st.integers(1, 3), st.integers(1, 4))
@settings(max_examples=60)
def test_the_best_split_equals_its_slow_twin(seed, n, features, least):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 6, (n, features)).astype(float), rng.integers(0, 9, n).astype(float)
    gains = {}
    for feature in range(features):
        values = sorted(set(x[:, feature]))
        for low, high in pairwise(values):
            left = x[:, feature] <= (low + high) / 2
            if min(left.sum(), (~left).sum()) >= least:
                after = left.sum() * y[left].std() + (~left).sum() * y[~left].std()
                gains[feature, (low + high) / 2] = y.std() - after / n
    split = best_split(x, y, least)
    if split is None:
        assert max(gains.values(), default=0) <= 1e-9
    else:
        assert split.gain == pytest.approx(max(gains.values()))
        assert gains[split.feature, split.threshold] == pytest.approx(split.gain)


def test_a_linear_model_leaves_out_what_does_not_help():
    """y = 3·a + 1 exactly; b is noise, so only a stays and the error is 0."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(30, 2))
    model = linear_model(x, 3 * x[:, 0] + 1, [0, 1])
    assert model.weights == pytest.approx([3, 0], abs=1e-9)
    assert model.intercept == pytest.approx(1)


def test_the_error_of_a_constant_by_hand():
    """Targets 0 0 4 4: mean 2, residual 2, n = 4, v = 1: 2 × 5/3."""
    model = linear_model(column([1, 1, 1, 1]), np.array([0.0, 0, 4, 4]), [])
    assert (model.intercept, model.error) == (2.0, pytest.approx(2 * 5 / 3))


def test_smoothing_by_hand():
    """n = 5 examples below, k = 15: a quarter of the leaf's, three of the node's above."""
    leaf = LinearModel(np.array([4.0]), 8.0, 0.0)
    node = LinearModel(np.array([0.0]), 4.0, 0.0)
    blended = leaf.blended(5, 15, node)
    assert (blended.weights.tolist(), blended.intercept) == ([1.0], 5.0)


def test_a_step_is_a_split_with_two_constants():
    """Without smoothing the leaves give 0 and 10; with k = 15 a leaf of 6 is drawn to the root's
    least-squares line through (5.5, 5), of slope Σxy/Σxx = 180/143."""
    x, y = column(np.arange(12)), np.repeat([0.0, 10.0], 6)
    plain = ModelTree(smoothing=0).fit(x, y)
    assert plain.predict(column([2, 9])).tolist() == [0.0, 10.0]
    slope = 180 / 143
    root = 5 + slope * (2 - 5.5)
    smoothed = ModelTree().fit(x, y).predict(column([2]))[0]
    assert smoothed == pytest.approx((6 * 0 + 15 * root) / 21)


def test_a_line_is_one_leaf():
    """Splitting a line helps nothing: the root's linear model has no error, so it is pruned."""
    x = column(np.linspace(0, 5, 40))
    tree = ModelTree().fit(x, 2 * x[:, 0] - 1)
    assert tree.root_.split is None
    assert tree.predict(column([7])) == pytest.approx([13])


def test_equal_targets_are_one_leaf():
    tree = ModelTree().fit(column(range(20)), np.full(20, 3.0))
    assert tree.root_.split is None
    assert tree.predict(column([100])).tolist() == [3.0]


def test_few_examples_give_their_mean():
    assert ModelTree().fit(column([1, 2, 3]), np.array([1.0, 2, 6])).predict_one(
        np.array([9.0])
    ) == pytest.approx(3.0)
    assert ModelTree().fit(column([1]), np.array([4.0])).predict_one(np.array([9.0])) == 4.0


def test_it_finds_two_regimes_and_reports_it():
    rng = np.random.default_rng(2)
    x = rng.uniform(0, 10, (200, 2))
    y = np.where(x[:, 0] > 5, 20 + x[:, 1], -2 * x[:, 1])
    words = ModelTree().fit(x, y + rng.normal(0, 0.1, 200)).describe(["depth", "links"], "status")
    assert words.startswith("if depth is at most ")
    assert "status = " in words and "× links" in words


@given(DATA)
@settings(max_examples=15, deadline=None)
def test_it_beats_the_mean_on_generated_data(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(80, 7))
    y = np.where(x[:, 2] > 0, x[:, 0], 2 - x[:, 0]) + 2 * x[:, 3] + rng.normal(0, 0.3, 80)
    tree = ModelTree().fit(x[:40], y[:40])
    error = np.abs(tree.predict(x[40:]) - y[40:]).mean()
    assert error < np.abs(y[:40].mean() - y[40:]).mean()


def test_the_leaves_smoothed_models_equal_climbing_the_path():
    rng = np.random.default_rng(5)
    x = rng.uniform(0, 10, (120, 3))
    y = np.floor(x[:, 0]) * 3 + x[:, 1] * (x[:, 0] > 5) + rng.normal(0, 0.2, 120)
    raw, smooth = ModelTree(smoothing=0).fit(x, y), ModelTree(smoothing=15).fit(x, y)

    def climbed(node, row):
        if node.split is None:
            return node.model(row)
        child = node.children[int(row[node.split.feature] > node.split.threshold)]
        return (child.examples * climbed(child, row) + 15 * node.model(row)) / (child.examples + 15)

    assert raw.root_.children[0].children
    for row in x[:30]:
        assert smooth.predict_one(row) == pytest.approx(climbed(raw.root_, row))
