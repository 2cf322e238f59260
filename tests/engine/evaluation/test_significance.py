from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.evaluation.significance import (
    bootstrap_interval,
    detectable_effect,
    effect_size,
    estimate,
    half_interval,
    holm,
    mean_of_defined,
    p_values_over_time,
    paired_t_test,
    pairs_needed,
    wilcoxon_p,
    wins,
)

# Differences 1, 2, 3: mean 2, deviation 1, error 1/√3, t = 2√3 with 2 degrees of freedom.
FIRST, SECOND = [2.0, 4.0, 6.0], [1.0, 2.0, 3.0]
# For 2 degrees of freedom P(T > t) = 1/2 − t / (2·√(2 + t²)).
ONE_TAIL = 0.5 - 2 * sqrt(3) / (2 * sqrt(2 + 12))


def test_mean_and_standard_error_by_hand():
    summary = estimate([1.0, 2.0, 3.0])
    assert (summary.n, summary.mean) == (3, 2.0)
    assert summary.error == pytest.approx(1 / sqrt(3))
    assert estimate([5.0]).error is None
    assert estimate([]).mean is None


def test_the_interval_is_students():
    assert half_interval([1.0, 2.0, 3.0]) == pytest.approx(4.302653 / sqrt(3), rel=1e-5)
    assert half_interval([1.0]) is None


def test_a_paired_test_by_hand():
    two = paired_t_test(FIRST, SECOND)
    assert (two.n, two.difference) == (3, 2.0)
    assert two.t == pytest.approx(2 * sqrt(3))
    assert two.p == pytest.approx(2 * ONE_TAIL)
    assert paired_t_test(FIRST, SECOND, "greater").p == pytest.approx(ONE_TAIL)
    assert paired_t_test(FIRST, SECOND, "less").p == pytest.approx(1 - ONE_TAIL)


def test_the_interval_of_a_difference_does_not_depend_on_the_tails():
    # t at 0.975 with 2 degrees of freedom is 4.302653; the error of the differences is 1/√3.
    half = 4.302653 / sqrt(3)
    for tail in ("two", "greater"):
        assert paired_t_test(FIRST, SECOND, tail).interval == pytest.approx(
            (2 - half, 2 + half), rel=1e-5
        )


def test_wilcoxon_by_hand():
    # Of 2⁶ ways to give six ranks a sign, two are as far out as six differences of one sign.
    assert wilcoxon_p([1, 2, 3, 4, 5, 6], [0] * 6) == pytest.approx(2 / 2**6)
    assert wilcoxon_p([1, 2, 3, 4, 5], [0] * 5) == pytest.approx(2 / 2**5)
    assert wilcoxon_p([1.0, 2.0], [1.0, 2.0]) is None


def test_the_bootstrap_draws_pairs_and_the_same_ones_each_time():
    # Of two pairs a quarter of the draws takes either twice: the ends are the differences.
    assert bootstrap_interval([1.0, 4.0], [0.0, 0.0]) == (1.0, 4.0)
    assert bootstrap_interval([1.0], [0.0]) is None
    many = [float(i % 7) for i in range(50)]
    low, high = bootstrap_interval(many, [1.0] * 50)
    assert low < np.mean(many) - 1 < high
    assert (low, high) == bootstrap_interval(many, [1.0] * 50)


def test_the_effect_size_is_the_mean_difference_in_deviations():
    assert effect_size(FIRST, SECOND) == pytest.approx(2.0)
    assert effect_size([1.0, 2.0], [0.0, 1.0]) is None
    assert effect_size([1.0], [0.0]) is None


def test_the_pairs_needed_are_those_of_the_tables():
    # Cohen's tables for the paired test: 34 for half a deviation, 199 for a fifth, at 80 %.
    assert pairs_needed(0.5) == pairs_needed(-0.5) == 34
    assert pairs_needed(0.2) == 199
    assert pairs_needed(0.0) is None


def test_what_so_many_pairs_detect_is_the_inverse_of_the_pairs_needed():
    # Cohen's tables again: 34 pairs detect half a deviation.
    assert detectable_effect(34) == pytest.approx(0.5, abs=0.01)
    for pairs in (3, 5, 20, 200, 9_000):
        assert pairs_needed(detectable_effect(pairs) + 1e-9) == pairs
    assert detectable_effect(1) is None


def test_rounding_errors_win_nothing():
    third = (0.1 + 0.2 + 0.3) / 3, (0.3 + 0.2 + 0.1) / 3
    assert third[0] != third[1]
    assert wins([third[0], 2.0, 0.0], [third[1], 1.0, 1.0]) == (1, 1)
    assert wilcoxon_p([third[0]], [third[1]]) is None


def test_where_no_pair_differs_no_difference_is_shown():
    assert paired_t_test([1.0, 2.0], [1.0, 2.0]).p == 1.0
    assert paired_t_test([1.0], [0.0]).p is None
    assert paired_t_test([1.0, 2.0], [0.0, 1.0]).p is None
    with pytest.raises(ValueError, match="cannot be paired"):
        paired_t_test([1.0], [])


def test_holms_correction_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_where_there_is_no_test_holm_has_none_and_counts_none():
    assert holm([None, 0.01, None, 0.04]) == [None, pytest.approx(0.02), None, pytest.approx(0.04)]
    assert holm([None]) == [None]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_agrees_with_its_definition(p_values):
    ranked = sorted(p_values)
    slow = []
    for p in p_values:
        last = max(i for i, q in enumerate(ranked) if q == p)
        steps = [(len(ranked) - j) * ranked[j] for j in range(last + 1)]
        slow.append(min(1.0, max(steps)))
    assert holm(p_values) == pytest.approx(slow)


def test_p_is_computed_for_every_moment_over_the_topics_defined_then():
    first = np.array([[2.0, 1.0], [4.0, np.nan], [6.0, 1.0]])
    second = np.array([[1.0, 0.5], [2.0, 0.5], [3.0, 0.5]])
    over_time = p_values_over_time(first, second)
    assert over_time[0] == pytest.approx(ONE_TAIL)
    assert over_time[1] is None  # two topics are left, both better by the same amount


@given(
    st.lists(
        st.lists(st.sampled_from([0.0, 0.1, 0.3, 0.7, np.nan]), min_size=3, max_size=3),
        min_size=0,
        max_size=8,
    ),
    st.sampled_from(["two", "greater", "less"]),
)
def test_all_moments_together_are_tested_as_each_alone(rows, tail):
    first = np.array(rows, np.float64).reshape(-1, 3)
    second = np.linspace(0, 1, first.size).reshape(first.shape)
    slow = []
    for one, other in zip(first.T, second.T, strict=True):
        defined = np.isfinite(one)
        slow.append(paired_t_test(one[defined].tolist(), other[defined].tolist(), tail).p)
    for fast, expected in zip(p_values_over_time(first, second, tail), slow, strict=True):
        assert fast == (None if expected is None else pytest.approx(expected))


def test_unknown_values_are_left_out_of_a_mean() -> None:
    means = mean_of_defined([0.1, None, 0.3])
    assert (means.n, means.mean, means.error) == (2, pytest.approx(0.2), pytest.approx(0.1))
    assert mean_of_defined([None]).mean is None
