"""The choice of an address, and what of it was not planned."""

from __future__ import annotations

import pytest

from apps.engine.evaluation.average_status import AverageStatus
from apps.engine.evaluation.target_recall import TargetRecall
from apps.experiments.results.choice import (
    after_start,
    available_measures,
    choose,
    moments,
    planned,
)
from apps.experiments.results.paired_tests import Method
from apps.schemas.refused import Refused
from tests.experiments.results.made_answers import flat

ROWS = [[0.4, 0.5, 0.3]] * 3


def test_an_empty_address_is_the_plan():
    results = flat(ROWS, at=50, baseline=2)
    choice = choose(results)
    assert choice == planned(results)
    assert (choice.measure, choice.at, choice.baseline) == (TargetRecall, 50, 1)
    assert choice.test is Method.TWO_TAILED
    assert (choice.when, choice.moment) == ("at 50 pages", "50")
    assert after_start(results, choice) == ()


def test_all_that_is_not_planned_is_named():
    results = flat(ROWS, at=50)
    choice = choose(results, measure="average_status", at="area", baseline="3", test="wilcoxon")
    assert (choice.measure, choice.at, choice.baseline) == (AverageStatus, None, 2)
    assert (choice.when, choice.moment) == ("on average over 100 pages", "area")
    assert after_start(results, choice) == ("measure", "at", "baseline", "test")
    assert after_start(results, choose(results, at="50", baseline="1")) == ()


@pytest.mark.parametrize(
    ("field", "text", "words"),
    [
        ("measure", "beauty", "Give one of harvest_rate"),
        ("at", "0", "from 1 to 100, or area"),
        ("at", "101", "from 1 to 100"),
        ("at", "-5", "from 1 to 100"),
        ("at", "x", "from 1 to 100"),
        ("baseline", "0", "from 1 to 3"),
        ("baseline", "4", "from 1 to 3"),
        ("baseline", "²", "from 1 to 3"),
        ("test", "sign", "Give one of two_tailed"),
    ],
)
def test_what_is_no_choice_is_refused_at_its_field(field, text, words):
    with pytest.raises(Refused, match=words) as refused:
        choose(flat(ROWS), **{field: text})
    assert refused.value.field == field


def test_a_moment_must_have_samples():
    results = flat(ROWS, budget=1500)
    with pytest.raises(Refused, match="from 15 to 1500 in steps of 15, or area"):
        choose(results, at="500")


def test_moments_to_choose_from_have_the_planned_one_and_the_last():
    results = flat(ROWS, budget=1500, at=500)
    offered = moments(results)
    assert {500, 1500} <= {*offered} <= {*results.grid.tolist()}
    assert 10 <= len(offered) <= 12
    assert moments(flat(ROWS, budget=10)) == tuple(range(1, 11))


def test_available_measures_are_those_with_a_value():
    results = flat([[0.4, None], [float("nan"), 0.5]])
    assert available_measures(results) == (TargetRecall,)
    assert available_measures(flat([[float("nan"), float("nan")]])) == ()
