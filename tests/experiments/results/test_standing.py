"""Where crawlers stand: means of all their topics, tests over the pairs, and the words of both."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest
from scipy.stats import sem, ttest_rel

from apps.experiments.results.choice import choose
from apps.experiments.results.standing import standings
from tests.experiments.results.made_answers import flat, plain, spread, with_state


def words(row) -> str:
    return plain("".join(each.text for each in row.words))


def rows_of(results, **choice):
    return standings(results, choose(results, **choice))


def test_means_and_tests_are_scipys():
    ends = np.array(spread(12, 0.05, -0.1))
    base, better, worse = rows_of(flat(ends.tolist()))
    assert (base.test, words(base), base.strategy) == (None, "baseline", "full_page")
    assert better.value.error == pytest.approx(sem(ends[:, 1]))
    assert better.test.p == pytest.approx(ttest_rel(ends[:, 1], ends[:, 0]).pvalue)
    assert (better.test.topics, better.test.compared) == (12, 2)
    assert worse.test.worse == 12
    assert words(worse).split(" of the targets ")[0].endswith("% fewer")
    assert [each.strong for each in better.words] == [True, False]


def test_another_baseline_turns_the_differences_round():
    ends = spread(12, 0.05)
    (_, there), (back, _) = rows_of(flat(ends)), rows_of(flat(ends), baseline="2")
    assert back.test.difference == pytest.approx(-there.test.difference)
    assert back.test.p == pytest.approx(there.test.p)


def test_a_missing_topic_is_missing_from_the_pair_and_not_from_the_other_mean():
    ends = spread(8, 0.05, 0.0)
    ends[0][1], ends[1][1] = None, nan
    base, holed, whole = rows_of(with_state(flat(ends), "finished"))
    assert (base.value.n, holed.value.n, holed.test.topics, whole.test.topics) == (8, 6, 6, 8)
    assert holed.test.base_mean == pytest.approx(np.mean([row[0] for row in ends[2:]]))


def test_no_p_value_before_the_last_cell_has_ended():
    ends = spread(12, 0.05)
    ends[-1][1] = None
    _, row = rows_of(with_state(flat(ends), "running"))
    assert (row.test.p, row.test.holm, row.test.interval, row.test.needed) == (None,) * 4
    assert row.test.difference
    assert words(row).endswith("more of the targets so far")
    for state in ("finished", "stopped"):
        _, row = rows_of(with_state(flat(ends), state))
        assert row.test.topics == 11
        assert row.test.p is not None


def test_fewer_than_six_topics_have_means_only():
    _, row = rows_of(flat(spread(5, 0.05)))
    assert row.test.p is None
    assert words(row).endswith("more of the targets over 5 topics: no test")
    _, row = rows_of(flat(spread(6, 0.05)))
    assert row.test.p is not None


def test_one_topic_alone_has_a_mean_without_an_error():
    _, row = rows_of(flat([[0.4, 0.5]]))
    assert (row.value.n, row.value.error, row.test.topics) == (1, None, 1)
    assert words(row).endswith(" over 1 topic: no test")


def test_without_a_topic_in_common_there_is_nothing_to_compare():
    ends = [[0.4, None], [None, 0.5]]
    _, row = rows_of(with_state(flat(ends), "finished"))
    assert row.test is None
    assert words(row) == "no topic in common with the baseline"


def test_equal_values_and_equal_differences_are_no_differences():
    values = [0.1 * n for n in range(1, 9)]
    _, same, shifted = rows_of(flat([[v, v, v + 0.125] for v in values]))
    assert words(same) == "the same on every topic"
    assert words(shifted) == "no test: every topic differs by the same amount"


def test_what_holm_takes_back_is_named():
    # Twelve differences of 0.02 ± 0.029: t = 2.3 of 11, p = 0.04.
    ends = [[0.4, 0.42 + 0.029 * (-1) ** n, 0.4 + 0.01 * (-1) ** n] for n in range(12)]
    row = rows_of(flat(ends))[1]
    assert row.test.p < 0.05 <= row.test.holm
    assert not row.test.interval[0] <= 0 <= row.test.interval[1]
    assert words(row) == "no difference shown after Holm"
    alone = rows_of(flat([each[:2] for each in ends]))[1]
    assert alone.test.shown


def test_a_one_tailed_test_does_not_show_what_is_worse():
    _, row = rows_of(flat(spread(12, -0.1)), test="one_tailed")
    assert row.test.p > 0.95
    assert words(row) == "not shown to be better"


def test_the_cost_of_a_page_is_that_of_all_cells_together():
    results = flat(spread(2, 0.0))
    for (topic, crawler), (outcome,) in results.cells.items():
        outcome.cell.cpu_seconds = 0.1 * (topic + 1) * (crawler + 1)
    assert [row.milliseconds for row in rows_of(results)] == pytest.approx([1.5, 3.0])
