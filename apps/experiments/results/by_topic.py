"""A crawler against the baseline, topic by topic."""

from __future__ import annotations

from dataclasses import dataclass

from apps.experiments.results.choice import ComparisonPlan
from apps.experiments.results.outcomes import Outcomes
from apps.experiments.results.values import table


@dataclass(frozen=True, slots=True)
class TopicDifference:
    """A topic by its index, its name, the values of the crawler and of the baseline, and the first
    minus the second."""

    topic: int
    name: str
    value: float
    base: float
    difference: float


def topic_differences(
    outcomes: Outcomes, choice: ComparisonPlan, index: int
) -> tuple[TopicDifference, ...]:
    """The topics in which both have a value, at equal pages, the largest gain first."""
    values = table(outcomes, choice.measure.id, choice.at, [index, choice.baseline])
    rows = (
        TopicDifference(topic, outcomes.topics[topic].name, value, base, value - base)
        for topic, (value, base) in enumerate(values.tolist())
    )
    sign = 1 if choice.measure.less_is_better else -1
    paired = (row for row in rows if row.difference == row.difference)
    return tuple(sorted(paired, key=lambda row: (sign * row.difference, row.name)))
