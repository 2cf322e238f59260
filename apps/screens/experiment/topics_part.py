"""The part of an experiment's page with its topics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from apps.accounts.requests import SignedInRequest
from apps.experiments.models import Cell, ExperimentTopic
from apps.screens.experiment.page import ExperimentPage
from apps.topics.selectors import visible_topics

JUDGED_BY = {
    "": "not started",
    "committee": "committee",
    "lc_committee": "committee of all examples",
    "held_out_svm": "one SVM on held-out examples",
    "guiding_classifier": "no examples of its own to judge by",
    "none": "not judged",
}


@dataclass(frozen=True, slots=True)
class TopicProgress:
    """A topic of the experiment: whether its page may be seen, its judge, how its cells fared."""

    topic: ExperimentTopic
    linked: bool
    judged_by: str
    done: int
    failed: int
    cells: int


def context(request: SignedInRequest, page: ExperimentPage) -> dict[str, Any]:
    """A line for each topic."""
    topics = list(page.experiment.topics.defer("inputs"))
    seen = set(visible_topics(request.user).values_list("pk", flat=True))
    states: dict[int, list[str]] = {}
    cells = page.experiment.cells.order_by()
    for topic, state in cells.values_list("topic_id", "job_state"):
        states.setdefault(topic, []).append(state)
    return {
        "lines": [
            _line(topic, topic.topic_id in seen, states.get(topic.pk, [])) for topic in topics
        ]
    }


def _line(topic: ExperimentTopic, linked: bool, states: list[str]) -> TopicProgress:
    judge = JUDGED_BY.get(topic.judged_by, topic.judged_by.replace("_", " "))
    return TopicProgress(
        topic,
        linked,
        judge,
        states.count(Cell.State.DONE),
        states.count(Cell.State.FAILED),
        len(states),
    )
