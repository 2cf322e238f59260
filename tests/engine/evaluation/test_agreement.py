"""Agreement of people: worked by hand, and against scikit-learn and resampling."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from apps.engine.evaluation.agreement import AnswerTable, krippendorffs_alpha

MADE = AnswerTable(yes_yes=38, yes_no=3, no_yes=5, no_no=38)


def answers(agreement: AnswerTable) -> tuple[list[int], list[int]]:
    cells = (agreement.yes_yes, agreement.yes_no, agreement.no_yes, agreement.no_no)
    kinds = [(1, 1), (1, 0), (0, 1), (0, 0)]
    pairs = [pair for pair, n in zip(kinds, cells, strict=True) for _ in range(n)]
    first, second = zip(*pairs, strict=True)
    return list(first), list(second)


def test_kappa_of_a_table_worked_by_hand():
    # 70 of 100 alike; the first says yes to 60, the second to 50: by chance .6·.5 + .4·.5 = .5.
    agreement = AnswerTable(yes_yes=40, yes_no=20, no_yes=10, no_no=30)
    assert (agreement.pages, agreement.agree, agreement.differ) == (100, 70, 30)
    assert agreement.by_chance == pytest.approx(0.5)
    assert agreement.kappa == pytest.approx((0.7 - 0.5) / 0.5)


def test_its_error_is_that_of_the_formula_worked_by_hand():
    # With κ = .4: .4(1 − 1.1·.6)² + .3(1 − .9·.6)² = .10972; .36·(.2·.9² + .1·1.1²) = .10188;
    # (.4 − .5·.6)² = .01; so √(.2016) / (.5·10).
    agreement = AnswerTable(yes_yes=40, yes_no=20, no_yes=10, no_no=30)
    assert agreement.error == pytest.approx(np.sqrt(0.10972 + 0.10188 - 0.01) / 5)
    low, high = agreement.interval
    assert (low, high) == pytest.approx((0.4 - 1.959964 * 0.0897998, 0.4 + 1.959964 * 0.0897998))


@pytest.mark.parametrize(
    "agreement",
    [MADE, AnswerTable(40, 20, 10, 30), AnswerTable(2, 9, 8, 1)],
    ids=["high", "low", "no"],
)
def test_kappa_equals_that_of_scikit_learn(agreement):
    assert agreement.kappa == pytest.approx(cohen_kappa_score(*answers(agreement)))


def test_the_error_is_that_of_drawing_the_pages_again():
    pairs = np.array(answers(MADE)).T.astype(bool)
    rng = np.random.default_rng(7)
    drawn = [pairs[rng.integers(0, 84, 84)].tolist() for _ in range(2_000)]
    kappas = [AnswerTable.count(map(tuple, sample)).kappa for sample in drawn]
    assert np.std(kappas) == pytest.approx(MADE.error, rel=0.06)


def test_answers_are_counted_by_who_gave_them():
    pairs = [(True, False), (True, False), (False, True), (True, True)]
    assert AnswerTable.count(pairs) == AnswerTable(1, 2, 1, 0)


@pytest.mark.parametrize(
    "agreement",
    [AnswerTable(), AnswerTable(yes_yes=23), AnswerTable(20, 3, 0, 0), AnswerTable(20, 0, 3, 0)],
    ids=["no page", "both always yes", "first always yes", "second always yes"],
)
def test_it_is_undefined_where_somebody_always_answers_alike(agreement):
    assert agreement.kappa is None and agreement.error is None and agreement.interval is None


def test_full_agreement_has_no_interval():
    agreement = AnswerTable(yes_yes=12, no_no=9)
    assert agreement.kappa == 1 and agreement.interval is None


def test_alpha_of_krippendorffs_own_example():
    """Nominal data of two observers, his section A: D_o = 4 of 10 units, α = .095."""
    first = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    second = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    pages = [{"a": bool(a), "b": bool(b)} for a, b in zip(first, second, strict=True)]
    assert krippendorffs_alpha(pages) == pytest.approx(0.095, abs=0.0005)


def test_alpha_of_three_with_missing_answers_worked_by_hand():
    # 3 + 3 + 2 answers that can be paired, 5 yes and 3 no; on the second page 2·2·1 / (3 − 1) = 2
    # pairs differ, so α = 1 − (8 − 1)·2 / (2·5·3).
    pages = [
        {"a": True, "b": True, "c": True},
        {"a": True, "b": True, "c": False},
        {"a": False, "c": False},
        {"b": True},
    ]
    assert krippendorffs_alpha(pages) == pytest.approx(1 - 14 / 30)


@pytest.mark.parametrize(
    "pages",
    [[], [{"a": True}], [{"a": True, "b": True}]],
    ids=["no page", "one answer", "all the same"],
)
def test_alpha_is_undefined_without_two_kinds_of_answers(pages):
    assert krippendorffs_alpha(pages) is None
