from __future__ import annotations

from math import nan

import pytest

from apps.experiments.results.by_topic import topic_differences
from apps.experiments.results.choice import choose
from tests.experiments.results.made_answers import flat

ROWS = [[0.4, 0.5], [0.4, 0.7], [0.4, 0.3], [0.4, None], [nan, 0.5]]


def test_topics_are_ranked_by_the_gain_of_the_crawler():
    results = flat(ROWS, topics=["ants", "bees", "crabs", "dogs", "eels"])
    rows = topic_differences(results, choose(results), 1)
    assert [row.name for row in rows] == ["bees", "ants", "crabs"]
    assert [row.difference for row in rows] == pytest.approx([0.3, 0.1, -0.1])
    assert (rows[0].topic, rows[0].value, rows[0].base) == (1, 0.7, 0.4)


def test_the_least_loss_comes_first():
    results = flat(ROWS, "loss_rate")
    assert [row.topic for row in topic_differences(results, choose(results), 1)] == [2, 0, 1]
