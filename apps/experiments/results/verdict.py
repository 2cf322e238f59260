"""The conclusion of an experiment in sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from apps.experiments.results.choice import ComparisonPlan
from apps.experiments.results.outcomes import Outcomes
from apps.experiments.results.paired_tests import ENOUGH_TOPICS
from apps.experiments.results.sentences import Conclusion, SentencePart, names, of_tests
from apps.experiments.results.standing import Standing, made_tests, too_few
from apps.experiments.results.values import table
from apps.figures.quantities import count, number_of
from apps.figures.units import precise


def verdict(
    outcomes: Outcomes, choice: ComparisonPlan, standings: Sequence[Standing]
) -> Conclusion:
    """Which crawler did best; before the last cell has ended, and without tests, only what is
    available."""
    if not outcomes.ended:
        return _running(outcomes)
    measured = [each for each in standings if each.value.n]
    if not measured:
        none = f"No crawl has a value of {choice.measure.phrase()} {choice.when}."
        return Conclusion((SentencePart(none),))
    if len(outcomes.crawlers) == 1:
        return Conclusion(
            (SentencePart("One crawler alone is compared with nothing. Add another one."),)
        )
    tests = [each.test for each in standings if each.test is not None]
    if not tests:
        baseline = outcomes.crawlers[choice.baseline].label
        return Conclusion(
            (
                SentencePart(
                    f"No topic has a value of {baseline} and of another crawler: nothing "
                    "is compared."
                ),
            )
        )
    if not made_tests(standings):
        few = max(test.topics for test in tests) < ENOUGH_TOPICS
        return _means(outcomes, choice, measured, few)
    return of_tests([test for test in tests if test.topics >= ENOUGH_TOPICS], choice.when)


def _running(outcomes: Outcomes) -> Conclusion:
    cells = f"{count(outcomes.finished)} of {number_of(outcomes.planned_cells, 'cell')}"
    has = "has" if outcomes.finished == 1 else "have"
    return Conclusion(
        (
            SentencePart(cells, True),
            SentencePart(
                f" {has} finished. Differences are tested once, when the last cell has ended; "
                "until then there are only means."
            ),
        )
    )


def _means(
    outcomes: Outcomes, choice: ComparisonPlan, measured: Sequence[Standing], few: bool
) -> Conclusion:
    """Which mean is best, if there are too few topics for a test or nothing varies."""
    why = (
        too_few(outcomes, measured)
        if few
        else "No test can be made: every topic differs by the same amount"
    )
    wish = f" At least {ENOUGH_TOPICS} topics are wanted." if few else ""
    return Conclusion(
        (SentencePart(why, True), SentencePart(f". {_best(outcomes, choice, measured)}{wish}"))
    )


def _best(outcomes: Outcomes, choice: ComparisonPlan, measured: Sequence[Standing]) -> str:
    """The best mean, of all whose mean is written alike, beside the baseline's, over the topics in
    which all of them have a value, and at equal pages: means over unlike topics do not show which
    crawler is better."""
    values = table(outcomes, choice.measure.id, choice.at, [each.index for each in measured])
    has = np.isfinite(values)
    shared = has.all(axis=1)
    if not shared.any():
        return "No topic has a value of every crawler, so their means are not compared."
    means = values[shared].mean(axis=0)
    best = int(np.argmin(means) if choice.measure.less_is_better else np.argmax(means))
    base = next((i for i, each in enumerate(measured) if each.index == choice.baseline), best)
    written = [precise(mean, choice.measure.unit) for mean in means]
    alike = [
        each.label for each, mean in zip(measured, written, strict=True) if mean == written[best]
    ]
    against = (
        ""
        if written[base] == written[best]
        else f", that of {measured[base].label} {written[base]}"
    )
    part = int(shared.sum())
    over = ""
    if part < has.any(axis=1).sum():
        over = f" over the {number_of(part, 'topic') if part > 1 else 'topic'} that all have"
    whose = (
        f"{written[best]}, of {names(alike)} alike"
        if len(alike) > 1
        else f"{measured[best].label}’s, {written[best]}"
    )
    return f"The best mean of {choice.measure.phrase()} {choice.when}{over} is {whose}{against}."
