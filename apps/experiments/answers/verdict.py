"""The conclusion of an experiment in sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from apps.experiments.answers.choice import Choice
from apps.experiments.answers.standing import Standing, made_tests, too_few
from apps.experiments.answers.values import table
from apps.experiments.outcomes import Outcomes
from apps.experiments.paired_tests import ENOUGH_TOPICS
from apps.experiments.sentences import Verdict, Words, names, of_tests
from apps.figures.quantities import count, number_of
from apps.figures.units import precise


def verdict(found: Outcomes, choice: Choice, standings: Sequence[Standing]) -> Verdict:
    """Which crawler did best; before the last cell has ended, and without tests, only what is
    known."""
    if not found.ended:
        return _running(found)
    known = [each for each in standings if each.value.n]
    if not known:
        none = f"No crawl has a value of {choice.measure.phrase()} {choice.when}."
        return Verdict((Words(none),))
    if len(found.crawlers) == 1:
        return Verdict((Words("One crawler alone is compared with nothing. Add another one."),))
    tests = [each.test for each in standings if each.test is not None]
    if not tests:
        baseline = found.crawlers[choice.baseline].label
        return Verdict((Words(f"No topic has a value of {baseline} and of another crawler: nothing "
                              "is compared."),))
    if not made_tests(standings):
        few = max(test.topics for test in tests) < ENOUGH_TOPICS
        return _means(found, choice, known, few)
    return of_tests([test for test in tests if test.topics >= ENOUGH_TOPICS], choice.when)


def _running(found: Outcomes) -> Verdict:
    cells = f"{count(found.finished)} of {number_of(found.wanted, 'cell')}"
    has = "has" if found.finished == 1 else "have"
    return Verdict((Words(cells, True), Words(
        f" {has} finished. Differences are tested once, when the last cell has ended; until then "
        "there are only means.")))  # fmt: skip


def _means(
    found: Outcomes, choice: Choice, known: Sequence[Standing], few: bool
) -> Verdict:
    """Which mean is best, if there are too few topics for a test or nothing varies."""
    why = (too_few(found, known) if few
           else "No test can be made: every topic differs by the same amount")
    wanted = f" At least {ENOUGH_TOPICS} topics are wanted." if few else ""
    return Verdict((Words(why, True), Words(f". {_best(found, choice, known)}{wanted}")))


def _best(found: Outcomes, choice: Choice, known: Sequence[Standing]) -> str:
    """The best mean, of all whose mean is written alike, beside the baseline's, over the topics in
    which all of them have a value: means over unlike topics say nothing of their crawlers."""
    values = table(found, choice.measure.id, choice.at)[:, [each.place for each in known]]
    has = np.isfinite(values)
    shared = has.all(axis=1)
    if not shared.any():
        return "No topic has a value of every crawler, so their means are not compared."
    means = values[shared].mean(axis=0)
    best = int(np.argmin(means) if choice.measure.less_is_better else np.argmax(means))
    base = next((i for i, each in enumerate(known) if each.place == choice.baseline), best)
    said = [precise(mean, choice.measure.unit) for mean in means]
    alike = [each.label for each, mean in zip(known, said, strict=True) if mean == said[best]]
    against = "" if said[base] == said[best] else f", that of {known[base].label} {said[base]}"
    part = int(shared.sum())
    over = ""
    if part < has.any(axis=1).sum():
        over = f" over the {number_of(part, 'topic') if part > 1 else 'topic'} that all have"
    whose = (f"{said[best]}, of {names(alike)} alike" if len(alike) > 1
             else f"{known[best].label}’s, {said[best]}")
    return f"The best mean of {choice.measure.phrase()} {choice.when}{over} is {whose}{against}."
