from __future__ import annotations

import numpy as np

from apps.engine.evaluation.significance import estimate
from apps.experiments.figures.asked import asked_of, means_of
from apps.figures.marks import GREY, MARKS
from tests.experiments.made_outcomes import made

SEVEN = made(
    (
        "full_page",
        "breadth_first",
        "best_first",
        "anchor_text",
        "link_context",
        "fish_search",
        "shark_search",
    ),
    budget=500,
    every=10,
)
BOTH = {
    (0, 0): {"diversity": [1.0]},
    (0, 1): {"diversity": [3.0]},
    (1, 0): {"diversity": [2.0]},
    (1, 1): {"diversity": [5.0]},
}


def test_the_baseline_and_the_first_others_are_drawn_in_colour() -> None:
    asked = asked_of(SEVEN)
    assert asked.drawn == (0, 1, 2, 3, 4)
    assert asked.marks == (*MARKS, GREY, GREY)


def test_the_baseline_keeps_its_mark_wherever_it_stands() -> None:
    third = made(tuple(each.strategy for each in SEVEN.crawlers), baseline=3, budget=500)
    asked = asked_of(third, drawn=(6, 0))
    assert asked.drawn == (0, 2, 6)
    assert [asked.marks[crawler] for crawler in (2, 0, 6, 1)] == [*MARKS[:3], GREY]


def test_never_more_are_in_colour_than_there_are_marks_and_none_that_are_not_there() -> None:
    assert len(asked_of(SEVEN, drawn=range(7)).drawn) == len(MARKS)
    assert asked_of(SEVEN, drawn=(3, 99, -1)).drawn == (0, 3)


def test_a_figure_of_some_crawlers_may_have_marks_for_them() -> None:
    asked = asked_of(SEVEN).with_marks_for((2, 5, 6))
    assert asked.drawn == (2, 5, 6) and [asked.marks[n] for n in (2, 5, 6)] == [*MARKS[1:4]]
    assert asked_of(SEVEN).with_marks_for(range(1, 7)).drawn == (1, 2, 3, 4)
    assert asked_of(SEVEN).with_marks_for((0, 1)).marks[0] == MARKS[0]


def test_the_moment_is_the_designs_and_never_beyond_the_last_sample() -> None:
    assert asked_of(SEVEN).pages == 500
    assert asked_of(made(budget=500, at=200)).pages == 200
    assert asked_of(SEVEN, pages=300).pages == 300 and asked_of(SEVEN, pages=309).pages == 305
    assert asked_of(SEVEN, pages=9000).pages == 500 and asked_of(SEVEN, pages=1).pages == 5


def test_means_are_over_the_topics_that_a_crawler_has_finished() -> None:
    fewer = {key: measured for key, measured in BOTH.items() if key != (0, 1)}
    three = ("full_page", "breadth_first", "best_first")
    asked = asked_of(made(three, values=fewer, every=1))
    assert (asked.topics, asked.finished) == ((0, 1), (0, 1))
    (second,) = asked.over_topics(1, lambda cell: [cell.at(1, "diversity")])
    assert (second.n, second.mean, second.error) == (1, 5.0, None)
    assert asked.over_topics(2, lambda cell: [1.0]) == []


def test_a_topic_counts_once_with_the_mean_of_its_repetitions() -> None:
    results = made(values=BOTH, every=1)
    again = made(values={(0, 0): {"diversity": [4.0]}}, every=1)
    results.cells[0, 0] = (*results.cells[0, 0], *again.cells[0, 0])
    (mean,) = asked_of(results).over_topics(0, lambda cell: [float(cell.at(1, "diversity"))])
    # Topic 0: (1 + 4)/2 = 2.5, topic 1: 2; mean 2.25, standard error .25.
    assert (mean.n, mean.mean) == (2, 2.25) and np.isclose(mean.error, 0.25)
    assert asked_of(results).over_topics(0, lambda cell: None) == []


def test_means_of_many_columns_are_those_of_each() -> None:
    table = np.random.default_rng(2).random((6, 40))
    table[table < 0.3] = np.nan
    table[:, 0], table[1:, 1] = np.nan, np.nan
    for column, mean in zip(table.T, means_of(table), strict=True):
        slow = estimate(column[np.isfinite(column)].tolist())
        assert mean.n == slow.n
        for mine, its in ((mean.mean, slow.mean), (mean.error, slow.error)):
            assert (mine is None) == (its is None) and (mine is None or np.isclose(mine, its))
