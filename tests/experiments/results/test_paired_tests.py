"""A crawler against a baseline: what scipy gives for the same pairs, corrected for all of them."""

from __future__ import annotations

from math import nan

import pytest
from scipy.stats import ttest_rel, wilcoxon

from apps.engine.evaluation.significance import pairs_needed
from apps.engine.evaluation.soft_harvest import LossRate
from apps.engine.evaluation.target_recall import TargetRecall
from apps.experiments.results.paired_tests import Method, corrected, paired_test

OURS = [0.52, 0.61, 0.40, 0.71, 0.38, 0.55]
THEIRS = [0.41, 0.58, 0.42, 0.60, 0.30, 0.44]
NAMES = ("Learner", "Full page")


def made(first=OURS, second=THEIRS, measure=TargetRecall, least=6, **values):
    return paired_test(measure, NAMES, first, second, least, **values)


def test_each_method_is_scipys():
    test = made()
    assert test.p_of(Method.TWO_TAILED).raw == pytest.approx(ttest_rel(OURS, THEIRS).pvalue)
    greater = ttest_rel(OURS, THEIRS, alternative="greater")
    assert test.p_of(Method.ONE_TAILED).raw == pytest.approx(greater.pvalue)
    assert test.t == pytest.approx(greater.statistic)
    assert test.p_of(Method.WILCOXON).raw == pytest.approx(wilcoxon(OURS, THEIRS).pvalue)
    assert (test.topics, test.better, test.worse) == (6, 5, 1)


def test_the_method_chosen_decides():
    test = made(method=Method.WILCOXON)
    assert test.p == test.p_of(Method.WILCOXON).raw != test.p_of(Method.TWO_TAILED).raw


def test_only_topics_known_to_both_are_paired():
    test = made([*OURS, nan, 0.9, nan], [*THEIRS, 0.1, nan, nan])
    assert test.topics == 6
    assert test.p == made().p
    assert test.base_mean == pytest.approx(sum(THEIRS) / 6)
    assert made([nan], [0.5]) is None


def test_less_is_better_turns_gains_and_the_one_tailed_test_round():
    test = made(measure=LossRate)
    assert (test.better, test.worse) == (1, 5)
    assert test.gain == pytest.approx(-test.difference)
    less = ttest_rel(OURS, THEIRS, alternative="less").pvalue
    assert test.p_of(Method.ONE_TAILED).raw == pytest.approx(less)


def test_too_few_topics_have_means_and_nothing_else():
    test = made(OURS[:5], THEIRS[:5])
    assert (test.topics, test.better, test.tested, test.shown) == (5, 4, False, False)
    assert test.mean == pytest.approx(sum(OURS[:5]) / 5)
    assert (test.interval, test.bootstrap, test.effect, test.t, test.needed) == (None,) * 5
    (after,) = corrected([test])
    assert (after.holm, after.needed, after.compared) == (None, None, 0)


def test_holm_counts_the_tests_that_were_made():
    weak, strong = made(), made([0.1 + each + 0.01 * i for i, each in enumerate(THEIRS)])
    few = made(OURS[:3], THEIRS[:3])
    after = corrected([weak, few, strong])
    assert after[2].holm == pytest.approx(2 * strong.p)
    assert after[0].holm == pytest.approx(max(weak.p, 2 * strong.p))
    assert after[1].holm is None
    assert {test.compared for test in after} == {2}
    ranks = Method.WILCOXON
    assert after[2].p_of(ranks).holm == pytest.approx(2 * strong.p_of(ranks).raw)


def test_the_topics_needed_would_stand_holms_first_step():
    one, two = corrected([made()])[0], corrected([made(), made()])[0]
    assert one.needed == pairs_needed(one.effect)
    assert two.needed == pairs_needed(two.effect, level=0.025) > one.needed


def test_equal_values_are_no_difference():
    test = made(THEIRS, THEIRS)
    assert (test.p, test.better, test.worse, test.effect) == (1.0, 0, 0, None)
    assert corrected([test])[0].needed is None
