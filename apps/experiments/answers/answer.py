"""The whole answer to one choice of measure, moment, baseline and test."""

from __future__ import annotations

from dataclasses import dataclass

from apps.experiments.answers.choice import Choice, after_start
from apps.experiments.answers.groups import by_domain
from apps.experiments.answers.limits import Limit, limits
from apps.experiments.answers.notes import notes
from apps.experiments.answers.standing import Standing, made_tests, standings
from apps.experiments.answers.verdict import verdict
from apps.experiments.outcomes import Outcomes
from apps.experiments.sentences import Verdict


@dataclass(frozen=True, slots=True)
class Answer:
    """Where each crawler stands (`rows`), the conclusion in sentences, what may not be concluded,
    and what must be known to read it.

    Before the experiment has `ended` there are no tests. `after_start` names what of the choice was
    not planned, `topics` is the number of all topics, `compared` that of the tests that Holm's
    correction is over.
    """

    choice: Choice
    ended: bool
    after_start: tuple[str, ...]
    topics: int
    compared: int
    rows: tuple[Standing, ...]
    verdict: Verdict
    limits: tuple[Limit, ...]
    notes: tuple[str, ...]


def answer(found: Outcomes, choice: Choice) -> Answer:
    """The answer that the finished cells give. Raises BadCheckpoint if a result is damaged."""
    rows = standings(found, choice)
    return Answer(
        choice, found.ended, after_start(found, choice), len(found.topics), len(made_tests(rows)),
        rows, verdict(found, choice, rows), limits(found, choice, rows, by_domain(found, choice)),
        notes(found, choice, rows),
    )
