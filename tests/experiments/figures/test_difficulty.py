from __future__ import annotations

import pytest

from apps.experiments.figures.asked import asked_of
from apps.experiments.figures.difficulty import Difficulty
from tests.experiments.made_outcomes import made

EASE = [0.8, 0.1, 0.7, 0.2, 0.5, 0.4, 0.3, 0.6]
TOPICS = tuple(f"topic {n}" for n in range(8))
VALUES = {
    (topic, crawler): {"target_recall": [ease + crawler * 0.1], "harvest_rate": [1 - ease]}
    for topic, ease in enumerate(EASE)
    for crawler in range(2)
}
OUTCOMES = made(topics=TOPICS, values=VALUES, every=1)


def test_quarters_of_the_topics_by_what_the_baseline_finds() -> None:
    figure = Difficulty().figure(asked_of(OUTCOMES))
    base, other = figure.traces
    assert figure.x.names == ("hardest 2", "hard 2", "easy 2", "easiest 2")
    # Of .1 and .2: mean .15, standard error .05; the other crawler has .1 more everywhere.
    assert [*base.y] == pytest.approx([0.15, 0.35, 0.55, 0.75])
    assert [*other.y] == pytest.approx([0.25, 0.45, 0.65, 0.85])
    assert [*base.errors] == pytest.approx([0.05] * 4)
    assert base.shift < 0 < other.shift and (base.mark, other.mark) == ("circle-open", "circle")


def test_another_measure_is_grouped_by_the_same_difficulty() -> None:
    figure = Difficulty().figure(asked_of(OUTCOMES), "harvest_rate")
    assert [*figure.traces[0].y] == pytest.approx([0.85, 0.65, 0.45, 0.25])


def test_the_file_has_the_crawlers_that_are_not_in_colour_too() -> None:
    samples = {(topic, crawler): VALUES[topic, 0] for topic in range(8) for crawler in range(3)}
    three = made(("full_page", "breadth_first", "best_first"), TOPICS, samples, every=1)
    figure = Difficulty().figure(asked_of(three, drawn=(2,)))
    assert [trace.label for trace in figure.traces] == ["Full page", "Best-first"]
    assert len(figure.as_data().rows) == 4 * 3


def test_with_too_few_topics_it_states_how_many_are_wanted() -> None:
    few = made(
        topics=TOPICS[:3],
        every=1,
        values={key: measured for key, measured in VALUES.items() if key[0] < 3},
    )
    figure = Difficulty().figure(asked_of(few))
    assert not figure.has_values and "8 topics" in figure.empty
