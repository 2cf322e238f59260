"""The tables of the results as places on a line."""

from __future__ import annotations

import pytest

from apps.engine.evaluation.target_recall import TargetRecall
from apps.experiments.results.answer import answer
from apps.experiments.results.by_topic import TopicDifference
from apps.experiments.results.choice import choose
from apps.figures.marks import GREY
from apps.screens.experiment.results_rows import strategy_lines, topic_scale
from tests.experiments.results.made_answers import flat, with_state


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.017, 0.16, ["0", "+5", "+10", "+15", "+20"]),
        (-0.03, 0.01, ["−3", "−2", "−1", "0", "+1"]),
        (0.0, 0.0, ["0"]),
    ],
)
def test_the_scale_of_topics_holds_nought_and_every_difference(low, high, ticks):
    rows = [TopicDifference(0, "a", low, 0.0, low), TopicDifference(1, "b", high, 0.0, high)]
    scale = topic_scale(rows, TargetRecall)
    words = [words for _, words in scale.ticks]
    assert words[: len(ticks)] == ticks and scale.ticks[0][0] == 0 and scale.ticks[-1][0] == 100
    assert 0 <= scale.at(low) <= scale.at(high) <= 100


def test_the_topics_beside_a_mean_are_those_that_its_error_is_over():
    # Breadth-first has a value of two topics of three, and shares one with the baseline.
    results = with_state(flat([[0.4, 0.0], [None, 0.0], [0.5, None]]), "finished")
    _, line = strategy_lines(answer(results, choose(results)), [GREY, GREY], ["", ""])
    assert (line.error, line.few) == ("± 0.0", "2 topics")
    assert [words.text for words in line.words] == [
        "100\u202f% fewer of the targets over 1 topic: no test"
    ]
