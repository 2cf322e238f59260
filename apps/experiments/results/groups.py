"""Topics by difficulty and by domain (LC Fig. 12, 16): means of each group, never tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from apps.engine.evaluation.difficulty import QUARTERS, domains, quarters
from apps.engine.evaluation.harvest_rate import HarvestRate
from apps.engine.evaluation.harvest_rate_true import HarvestRateTrue
from apps.engine.evaluation.measure import Measure
from apps.engine.evaluation.significance import Estimate
from apps.engine.evaluation.target_recall import TargetRecall
from apps.engine.evaluation.virtual_web_recall import VirtualWebRecall
from apps.engine.model import Floats
from apps.experiments.models import ExperimentTopic
from apps.experiments.results.choice import ComparisonPlan
from apps.experiments.results.outcomes import Outcomes
from apps.experiments.results.paired_tests import ENOUGH_TOPICS
from apps.experiments.results.values import over_topics, table

# By the first one that the baseline has; LC takes target recall.
EASE: tuple[type[Measure], ...] = (TargetRecall, VirtualWebRecall, HarvestRateTrue, HarvestRate)
LEAST_OF_A_QUARTER = 2
NAMES = ("hardest", "hard", "easy", "easiest")


@dataclass(frozen=True, slots=True)
class TopicGroup:
    """Some topics, by their indices.

    `values` is each crawler's mean over those in which it has a value, `differences` the mean of
    its paired differences from the baseline, None for the baseline itself.
    """

    name: str
    topics: tuple[int, ...]
    values: tuple[Estimate, ...]
    differences: tuple[Estimate | None, ...]


@dataclass(frozen=True, slots=True)
class Grouping:
    """Groups of topics; `by` is the criterion, `note` what must be considered, or why there are
    none."""

    by: str
    groups: tuple[TopicGroup, ...]
    note: str


def by_difficulty(outcomes: Outcomes, choice: ComparisonPlan) -> Grouping:
    """Quarters of the topics by the baseline's recall at the moment, hardest first."""
    baseline = outcomes.crawlers[choice.baseline].label
    for measure in EASE:
        ease = table(outcomes, measure.id, choice.at, [choice.baseline])[:, 0]
        if np.isfinite(ease).any():
            break
    by = f"quarters by {baseline}’s {measure.title.lower()} {choice.when}"
    indices = {
        topic.name: index for index, topic in enumerate(outcomes.topics) if np.isfinite(ease[index])
    }
    least = LEAST_OF_A_QUARTER * QUARTERS
    if len(indices) < least:
        return Grouping(
            by, (), f"Quarters need at least {least} topics with a value of the baseline."
        )
    ranked = quarters({name: float(ease[index]) for name, index in indices.items()})
    members = {
        f"{word} {len(names)}": tuple(indices[name] for name in names)
        for word, names in zip(NAMES, ranked, strict=True)
    }
    note = (
        f"Ranked by {baseline}’s own result, whose luck counts too: on the hardest topics "
        "chance favours the others, on the easiest the baseline. No test is made."
    )
    return Grouping(by, _groups(outcomes, choice, members), note)


def by_domain(outcomes: Outcomes, choice: ComparisonPlan) -> Grouping:
    """Topics by the top category of their directory, or of a name such as `Science/Astronomy`;
    those without one are left out."""
    members = _domains(outcomes.topics)
    if len(members) < 2:
        return Grouping(
            "domain",
            (),
            "Domains need topics of at least two top categories: from a "
            "directory, or with names such as Science/Astronomy.",
        )
    fewest = min(map(len, members.values()))
    why = "No test is made of a part of the topics."
    if fewest < ENOUGH_TOPICS:
        few = "Domains of one topic" if fewest == 1 else f"{fewest} topics a domain"
        why = f"{few} carry no test; none is made."
    note = f"Mean ± standard error of the paired differences. {why}"
    return Grouping("domain", _groups(outcomes, choice, members), note)


def _domains(topics: Sequence[ExperimentTopic]) -> Mapping[str, tuple[int, ...]]:
    by_path: dict[str, list[int]] = {}
    for index, topic in enumerate(topics):
        by_path.setdefault(_path(topic), []).append(index)
    by_path.pop("", None)
    return {
        name: tuple(index for path in paths for index in by_path[path])
        for name, paths in sorted(domains([*by_path], least=1).items())
    }


def _path(topic: ExperimentTopic) -> str:
    """The topic's path in its directory, or its name if that is a path; else empty."""
    category = topic.topic.category if topic.topic else None
    if category:
        return str(category.path)
    return topic.name if "/" in topic.name.strip("/") else ""


def _groups(
    outcomes: Outcomes, choice: ComparisonPlan, members: Mapping[str, tuple[int, ...]]
) -> tuple[TopicGroup, ...]:
    crawlers = range(len(outcomes.crawlers))
    values = [table(outcomes, choice.measure.id, choice.at, [index])[:, 0] for index in crawlers]
    differences = [_differences(outcomes, choice, index) for index in crawlers]
    return tuple(
        TopicGroup(
            name,
            topics,
            tuple(over_topics(column[[*topics]]) for column in values),
            tuple(
                None if column is None else over_topics(column[[*topics]]) for column in differences
            ),
        )
        for name, topics in members.items()
    )


def _differences(outcomes: Outcomes, choice: ComparisonPlan, index: int) -> Floats | None:
    """A crawler's differences from the baseline by topic, at equal pages."""
    if index == choice.baseline:
        return None
    pair = table(outcomes, choice.measure.id, choice.at, [index, choice.baseline])
    return pair[:, 0] - pair[:, 1]
