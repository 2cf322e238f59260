"""The tables of the results as places on a line."""

from __future__ import annotations

import pytest

from apps.engine.evaluation.target_recall import TargetRecall
from apps.experiments.answers.by_topic import TopicDifference
from apps.screens.experiment.results_rows import topic_scale


@pytest.mark.parametrize(("low", "high", "ticks"), [
    (0.017, 0.16, ["0", "+5", "+10", "+15", "+20"]), (-0.03, 0.01, ["−3", "−2", "−1", "0", "+1"]),
    (0.0, 0.0, ["0"]),
])  # fmt: skip
def test_the_scale_of_topics_holds_nought_and_every_difference(low, high, ticks):
    rows = [TopicDifference(0, "a", low, 0.0, low), TopicDifference(1, "b", high, 0.0, high)]
    scale = topic_scale(rows, TargetRecall)
    words = [words for _, words in scale.ticks]
    assert words[: len(ticks)] == ticks and scale.ticks[0][0] == 0 and scale.ticks[-1][0] == 100
    assert 0 <= scale.at(low) <= scale.at(high) <= 100
