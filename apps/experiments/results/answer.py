"""The whole answer to one choice of measure, moment, baseline and test."""

from __future__ import annotations

from dataclasses import dataclass

from apps.experiments.results.choice import ComparisonPlan, after_start
from apps.experiments.results.groups import by_domain
from apps.experiments.results.limits import Limit, limits
from apps.experiments.results.notes import notes
from apps.experiments.results.outcomes import Outcomes
from apps.experiments.results.sentences import Conclusion
from apps.experiments.results.standing import Standing, made_tests, standings
from apps.experiments.results.verdict import verdict


@dataclass(frozen=True, slots=True)
class ComparisonAnswer:
    """The result table (`rows`), the conclusion in sentences, its limits, and notes for the reader.

    Before the experiment has `ended` there are no tests. `after_start` names the unplanned parts of
    the choice, `topics` is the number of all topics, `compared` that of the tests in Holm's
    correction.
    """

    choice: ComparisonPlan
    ended: bool
    after_start: tuple[str, ...]
    topics: int
    compared: int
    rows: tuple[Standing, ...]
    verdict: Conclusion
    limits: tuple[Limit, ...]
    notes: tuple[str, ...]


def answer(outcomes: Outcomes, choice: ComparisonPlan) -> ComparisonAnswer:
    """The answer that the finished cells give. Raises BadCheckpoint if a result is damaged."""
    rows = standings(outcomes, choice)
    return ComparisonAnswer(
        choice,
        outcomes.ended,
        after_start(outcomes, choice),
        len(outcomes.topics),
        len(made_tests(rows)),
        rows,
        verdict(outcomes, choice, rows),
        limits(outcomes, choice, rows, by_domain(outcomes, choice)),
        notes(outcomes, choice, rows),
    )
