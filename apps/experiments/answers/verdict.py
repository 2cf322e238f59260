"""The conclusion of an experiment in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from apps.experiments.answers.choice import Choice
from apps.experiments.answers.standing import Standing, made_tests
from apps.experiments.outcomes import Outcomes
from apps.experiments.paired_tests import ENOUGH_TOPICS
from apps.experiments.sentences import Verdict, Words, of_tests
from apps.figures.quantities import count, number_of
from apps.figures.units import UNITS


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
        return _means(choice, known, max(test.topics for test in tests))
    return of_tests([test for test in tests if test.topics >= ENOUGH_TOPICS], choice.when)


def _running(found: Outcomes) -> Verdict:
    cells = f"{count(found.finished)} of {number_of(found.wanted, 'cell')}"
    has = "has" if found.finished == 1 else "have"
    return Verdict((Words(cells, True), Words(
        f" {has} finished. Differences are tested once, when the last cell has ended; until then "
        "there are only means.")))  # fmt: skip


def _means(choice: Choice, known: Sequence[Standing], topics: int) -> Verdict:
    """Which mean is best, if there are too few topics for a test or nothing varies."""
    sign = -1 if choice.measure.less_is_better else 1
    best = max(known, key=lambda each: sign * (each.value.mean or 0.0))
    base = next((each for each in known if each.place == choice.baseline), best)
    say = UNITS[choice.measure.unit].say
    against = "" if base is best else f", that of {base.label} {say(base.value.mean)}"
    few = topics < ENOUGH_TOPICS
    why = (f"{number_of(topics, 'topic')} {'is' if topics == 1 else 'are'} too few for a test"
           if few else "No test can be made: every topic differs by the same amount")
    wanted = f" At least {ENOUGH_TOPICS} topics are wanted." if few else ""
    return Verdict((Words(why, True), Words(
        f". The best mean of {choice.measure.phrase()} {choice.when} is {best.label}’s, "
        f"{say(best.value.mean)}{against}.{wanted}")))
