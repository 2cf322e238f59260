from __future__ import annotations

import pytest

from apps.experiments.figures.asked import asked_of
from apps.experiments.figures.status_and_topicality import StatusAndTopicality
from tests.experiments.made_outcomes import made

CRAWLERS = (
    "full_page",
    ("adaptive_utility", {"delta": 0.7}),
    ("utility", {"alpha": 1.0}),
    ("utility", {"alpha": 0.25}),
)
VALUES = {
    (topic, crawler): {
        "harvest_rate": [(crawler + topic) / 10],
        "average_status_estimated": [crawler],
    }
    for topic in range(2)
    for crawler in range(4)
}
OUTCOMES = made(CRAWLERS, values=VALUES, every=1)


def test_harvest_by_alpha_then_by_delta() -> None:
    figure = StatusAndTopicality().figure(asked_of(OUTCOMES))
    assert figure.x.names == ("α 0.25", "α 1", "δ 0.7")
    # Crawlers 3, 2 and 1: means of (3, 4), (2, 3) and (1, 2) tenths, standard error .05 each.
    assert [*figure.traces[0].y] == pytest.approx([0.35, 0.25, 0.15])
    assert [*figure.traces[0].errors] == pytest.approx([0.05] * 3)


def test_without_known_counts_status_is_the_models_estimate() -> None:
    figure = StatusAndTopicality().figure(asked_of(OUTCOMES), "average_status")
    assert "estimated" in figure.y.title and [*figure.traces[0].y] == [3, 2, 1]
    counted = {key: {**measured, "average_status": [1.5]} for key, measured in VALUES.items()}
    figure = StatusAndTopicality().figure(
        asked_of(made(CRAWLERS, values=counted, every=1)), "average_status"
    )
    assert figure.y.title == "average status" and [*figure.traces[0].y] == [1.5] * 3
