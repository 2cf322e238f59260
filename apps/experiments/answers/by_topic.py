"""A crawler against the baseline, topic by topic."""

from __future__ import annotations

from dataclasses import dataclass

from apps.experiments.answers.choice import Choice
from apps.experiments.answers.values import table
from apps.experiments.outcomes import Outcomes


@dataclass(frozen=True, slots=True)
class TopicDifference:
    """A topic by its place, its name, the values of the crawler and of the baseline, and the first
    minus the second."""

    topic: int
    name: str
    value: float
    base: float
    difference: float


def topic_differences(
    found: Outcomes, choice: Choice, place: int
) -> tuple[TopicDifference, ...]:
    """The topics in which both have a value, the largest gain first."""
    values = table(found, choice.measure.id, choice.at)
    rows = (
        TopicDifference(topic, found.topics[topic].name, value, base, value - base)
        for topic, (value, base) in enumerate(values[:, [place, choice.baseline]].tolist())
    )
    sign = 1 if choice.measure.less_is_better else -1
    known = (row for row in rows if row.difference == row.difference)
    return tuple(sorted(known, key=lambda row: (sign * row.difference, row.name)))
