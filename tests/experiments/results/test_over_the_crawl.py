"""p over the crawl: that of each moment alone, after Holm, and from where on it shows for good."""

from __future__ import annotations

import numpy as np
import pytest

from apps.engine.evaluation.significance import holm, paired_t_test, wilcoxon_p
from apps.experiments.results.choice import choose
from apps.experiments.results.over_the_crawl import p_over_the_crawl
from tests.experiments.made_outcomes import made
from tests.experiments.results.made_answers import with_state

RECALL = "target_recall"
CRAWLERS = ("full_page", "apprentice", "hits")


def curves(gains, topics=8, seed=2, measure=RECALL):
    """`gains` has the mean difference of each crawler at each sample."""
    rng = np.random.default_rng(seed)
    return {
        (topic, crawler): {measure: [0.4 + gain + rng.normal(0, 0.01) for gain in gains[crawler]]}
        for topic in range(topics)
        for crawler in range(len(gains))
    }


def experiment(gains, **values):
    lines = curves(gains, **values)
    return made(
        CRAWLERS[: len(gains)],
        [f"t{i}" for i in range(1 + max(t for t, _ in lines))],
        lines,
        every=1,
    )


ZERO = [0.0] * 10


@pytest.mark.parametrize("method", ["two_tailed", "one_tailed", "wilcoxon"])
def test_each_moment_is_tested_as_alone(method):
    results = experiment([ZERO, [0.02 * n for n in range(10)], ZERO])
    courses = p_over_the_crawl(results, choose(results, test=method))
    assert [course.label for course in courses] == ["Apprentice", "HITS"]
    table = results.curves(RECALL)
    for sample in (0, 3, 9):
        slow = []
        for crawler in (1, 2):
            pair = table[:, crawler, sample].tolist(), table[:, 0, sample].tolist()
            tail = "greater" if method == "one_tailed" else "two"
            slow.append(wilcoxon_p(*pair) if method == "wilcoxon" else paired_t_test(*pair, tail).p)
        assert [course.raw[sample] for course in courses] == pytest.approx(slow)
        assert [course.p[sample] for course in courses] == pytest.approx(holm(slow))


def test_it_shows_for_good_from_where_p_stays_small():
    clear, early, back = [0.2] * 10, [0.2] * 4 + [0.0] * 6, [0.2, 0.0, 0.0, *[0.2] * 7]
    for gain, page in ((clear, 1), (early, None), (back, 4), (ZERO, None)):
        results = experiment([ZERO, gain])
        (course,) = p_over_the_crawl(results, choose(results))
        assert course.for_good_from == page


def test_a_difference_that_turns_round_shows_for_good_only_since_then():
    results = experiment([ZERO, [-0.2] * 5 + [0.2] * 5])
    (course,) = p_over_the_crawl(results, choose(results))
    assert (course.p < 0.05).all()
    assert course.for_good_from == 6


def test_a_loss_is_better_below():
    results = experiment([ZERO, [-0.2] * 10], measure="loss_rate")
    (course,) = p_over_the_crawl(results, choose(results, measure="loss_rate", test="one_tailed"))
    assert course.for_good_from == 1


def test_moments_with_too_few_pairs_have_no_p():
    cells = curves([ZERO, [0.2] * 10])
    for topic in range(3):
        cells[topic, 1][RECALL][:5] = [np.nan] * 5
    results = made(CRAWLERS[:2], [f"t{i}" for i in range(8)], cells, every=1)
    (course,) = p_over_the_crawl(results, choose(results))
    assert np.isnan(course.p).tolist() == [True] * 5 + [False] * 5
    assert course.for_good_from == 6


def test_without_tests_there_is_no_course():
    few = experiment([ZERO, [0.2] * 10], topics=5)
    assert p_over_the_crawl(few, choose(few)) == ()
    cells = curves([ZERO, [0.2] * 10])
    del cells[0, 1]
    topics = [f"t{i}" for i in range(8)]
    running = with_state(made(CRAWLERS[:2], topics, cells, every=1), "running")
    assert p_over_the_crawl(running, choose(running)) == ()
    unknown = experiment([ZERO, ZERO])
    assert p_over_the_crawl(unknown, choose(unknown, measure="reliability")) == ()
