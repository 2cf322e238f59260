from __future__ import annotations

import pytest
from scipy.stats import ttest_rel

from apps.experiments.figures.asked import asked_of
from apps.experiments.figures.p_over_the_crawl import POverTheCrawl
from tests.experiments.made_outcomes import made

TOPICS = tuple(f"topic {n}" for n in range(6))
BASE = [0.10, 0.20, 0.30, 0.40, 0.15, 0.25]
OURS = [0.15, 0.26, 0.34, 0.47, 0.21, 0.29]
# At page 1 both are alike but for one topic, at page 2 the second is better on every topic.
VALUES = {(topic, 0): {"target_recall": [BASE[topic]] * 2} for topic in range(6)} | {
    (topic, 1): {"target_recall": [BASE[topic] + 0.01 * (topic == 3), OURS[topic]]}
    for topic in range(6)
}
OUTCOMES = made(topics=TOPICS, values=VALUES, every=1, budget=10)


def test_p_is_one_tailed_of_values_paired_by_topic() -> None:
    figure = POverTheCrawl().figure(asked_of(OUTCOMES))
    line, curve = figure.traces
    assert [*line.y] == [0.05, 0.05] and not line.named
    assert curve.y[1] == pytest.approx(ttest_rel(OURS, BASE, alternative="greater").pvalue)
    assert curve.y[1] < 0.001 < 0.05 < curve.y[0]
    assert figure.reading == (
        "Target recall, one-tailed p against Full page after Holm: "
        "Breadth-first stays below 0.05 from page 2 on."
    )
    assert figure.y.unit == "probability"


def test_of_several_crawlers_p_is_corrected_and_the_file_has_both() -> None:
    three = {**VALUES, **{(topic, 2): VALUES[topic, 1] for topic in range(6)}}
    results = made(("full_page", "breadth_first", "best_first"), TOPICS, three, every=1, budget=10)
    figure = POverTheCrawl().figure(asked_of(results))
    row = figure.as_data().rows[1]
    assert row[:2] == ("Breadth-first", 2) and row[3] == pytest.approx(2 * row[2])


def test_who_never_stays_below_the_level_is_counted_among_the_others() -> None:
    worse = {**VALUES, **{(topic, 2): {"target_recall": [0.0, 0.0]} for topic in range(6)}}
    results = made(("full_page", "breadth_first", "best_first"), TOPICS, worse, every=1, budget=10)
    assert (
        POverTheCrawl()
        .figure(asked_of(results))
        .reading.endswith(
            "Breadth-first stays below 0.05 from page 2 on, none of the other crawlers does."
        )
    )
    alike = {**VALUES, **{(topic, 1): VALUES[topic, 0] for topic in range(6)}}
    even = made(topics=TOPICS, values=alike, every=1, budget=10)
    assert (
        POverTheCrawl()
        .figure(asked_of(even))
        .reading.endswith("no crawler stays below 0.05 to the end.")
    )


def test_what_cannot_be_tested_is_reported() -> None:
    few = made(
        ("full_page", "breadth_first"),
        TOPICS[:2],
        {key: measured for key, measured in VALUES.items() if key[0] < 2},
        every=1,
    )
    figure = POverTheCrawl().figure(asked_of(few))
    assert not figure.has_values and figure.empty.startswith("Needs 6 topics")
    running = made(
        topics=TOPICS,
        every=1,
        values={key: measured for key, measured in VALUES.items() if key != (5, 1)},
    )
    assert "last cell" in POverTheCrawl().figure(asked_of(running)).empty
    alone = made(("full_page",), TOPICS, {(t, 0): VALUES[t, 0] for t in range(6)}, every=1)
    assert POverTheCrawl().figure(asked_of(alone)).empty == "Needs a second crawler"
