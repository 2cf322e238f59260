"""Conclusions that an experiment's data do not support, why not, and how many topics would."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from apps.engine.evaluation.measure import Witness
from apps.engine.evaluation.significance import detectable_effect, pairs_needed
from apps.experiments.results.changes import difference, distance
from apps.experiments.results.choice import ComparisonPlan
from apps.experiments.results.groups import Grouping
from apps.experiments.results.outcomes import Outcomes
from apps.experiments.results.paired_tests import (
    ENOUGH_TOPICS,
    LEVEL,
    Method,
    Test,
    corrected,
)
from apps.experiments.results.standing import (
    Standing,
    lost_by_holm,
    made_tests,
    test_of_two,
    too_few,
)
from apps.figures.quantities import count, number_of, p_value

LIVE = "live"
UNREACHABLE = "more than 10,000"


@dataclass(frozen=True, slots=True)
class Limit:
    """A claim that may not be made, why not, and what would be needed, in words."""

    claim: str
    why: str
    needed: str


def limits(
    outcomes: Outcomes, choice: ComparisonPlan, standings: Sequence[Standing], domains: Grouping
) -> tuple[Limit, ...]:
    """The claims that a reader of the results might make and should not."""
    return tuple(_limits(outcomes, choice, standings, domains))


def _limits(
    outcomes: Outcomes, choice: ComparisonPlan, standings: Sequence[Standing], domains: Grouping
) -> Iterator[Limit]:
    if not outcomes.ended:
        yield _running(outcomes)
    elif len(outcomes.topics) < ENOUGH_TOPICS:
        yield Limit(
            "Any difference between crawlers",
            f"{too_few(outcomes, standings)}.",
            f"at least {ENOUGH_TOPICS}",
        )
    else:
        baseline = outcomes.crawlers[choice.baseline].label
        for each in standings:
            if each.index != choice.baseline and not (each.test and each.test.shown):
                claim = f"{each.label} against {baseline}"
                yield _of_test(claim, each.test, choice) if each.test else _unpaired(claim)
        yield from _among_others(outcomes, choice, standings)
        yield from _by_domain(domains, standings)
    if choice.measure.witness is Witness.CRITIC:
        yield _own_scales(choice)
    yield _other_webs(outcomes)


def _running(outcomes: Outcomes) -> Limit:
    left = outcomes.planned_cells - outcomes.finished
    verb = "has" if left == 1 else "have"
    return Limit(
        "Any difference between crawlers",
        f"{number_of(left, 'cell')} {verb} not "
        "finished. To test again with each new cell finds differences that are not there.",
        "–",
    )


def _unpaired(claim: str) -> Limit:
    return Limit(claim, "No topic has a value of both.", f"at least {ENOUGH_TOPICS}")


def _of_test(claim: str, test: Test, choice: ComparisonPlan) -> Limit:
    if test.topics < ENOUGH_TOPICS:
        are = "topic has" if test.topics == 1 else "topics have"
        return Limit(
            claim,
            f"Only {count(test.topics)} {are} a value of both: too few for a test.",
            f"at least {ENOUGH_TOPICS}",
        )
    if not test.better and not test.worse:
        return Limit(claim, f"Both have the same value on all {count(test.topics)} topics.", "–")
    if not test.tested:
        return Limit(
            claim,
            "Every topic differs by the same amount, so the spread of the differences is unknown.",
            "–",
        )
    return Limit(claim, _doubt(test, choice), _topics(test.needed))


def _doubt(test: Test, choice: ComparisonPlan) -> str:
    if lost_by_holm(test):
        two_tailed = test.method is Method.TWO_TAILED
        alone = "The interval leaves out 0" if two_tailed else "Alone it is shown"
        return (
            f"{alone} ({p_value(test.p)}), but {count(test.compared)} crawlers were compared "
            f"with the baseline; after Holm {p_value(test.holm)}."
        )
    if test.method is Method.ONE_TAILED and test.gain < 0:
        return "The one-tailed test only asks whether it is better, and its mean is not."
    return f"{_interval(test)} {_missed(test)}"


def _interval(test: Test) -> str:
    if test.interval is None:
        return ""
    low, high = test.interval
    holds = "holds 0" if low <= 0 <= high else "leaves out 0"
    unit = " points" if test.measure.unit == "share" else ""
    return (
        f"The interval {holds} ({difference(test.measure, low)} to "
        f"{difference(test.measure, high)}{unit})."
    )


def _missed(test: Test) -> str:
    """The least true difference that four of five such experiments would show."""
    effect = detectable_effect(test.topics, level=LEVEL / test.compared)
    if effect is None or not test.effect:
        return ""
    spread = abs(test.difference / test.effect)
    size = distance(test.measure, effect * spread)
    return (
        f"On {count(test.topics)} topics a true difference below {size} is missed more often "
        "than one time in five."
    )


def _topics(needed: int | None) -> str:
    return UNREACHABLE if needed is None else f"about {count(needed)}"


def _among_others(
    outcomes: Outcomes, choice: ComparisonPlan, standings: Sequence[Standing]
) -> Iterator[Limit]:
    """The best crawler against the next best one, and the same for the variants of each strategy,
    where their difference is not clear; these pairs are not among those compared."""
    sign = -1 if choice.measure.less_is_better else 1
    ranked = sorted(
        (each for each in standings if each.value.n),
        key=lambda each: -sign * (each.value.mean or 0.0),
    )
    strategies = dict.fromkeys(each.strategy for each in ranked)
    groups = [
        ranked,
        *([each for each in ranked if each.strategy == strategy] for strategy in strategies),
    ]
    pairs = dict.fromkeys((group[0].index, group[1].index) for group in groups if len(group) > 1)
    two_tailed = replace(choice, test=Method.TWO_TAILED)
    for pair in pairs:
        if choice.baseline not in pair:
            test = test_of_two(outcomes, two_tailed, pair, ENOUGH_TOPICS)
            if test and test.interval and test.interval[0] <= 0 <= test.interval[1]:
                yield _of_pair(test)


def _of_pair(test: Test) -> Limit:
    (alone,) = corrected([test])
    return Limit(
        f"{test.crawler} against {test.baseline}",
        f"Not among what was compared. {_interval(alone)} {_missed(alone)}",
        _topics(alone.needed),
    )


def _by_domain(domains: Grouping, standings: Sequence[Standing]) -> Iterator[Limit]:
    """Needed are the topics for the clearest difference of all, in each domain."""
    tests = made_tests(standings)
    if not domains.groups or not tests:
        return
    fewest = min(len(group.topics) for group in domains.groups)
    clearest = max(abs(test.effect or 0.0) for test in tests)
    level = LEVEL / (tests[0].compared * len(domains.groups))
    needed = max(ENOUGH_TOPICS, pairs_needed(clearest, level=level) or 0) if clearest else None
    yield Limit(
        "Any crawler by domain",
        f"{number_of(fewest, 'topic')} in the smallest domain, "
        f"and {count(len(domains.groups))} domains to correct for: no test is made.",
        "–" if needed is None else f"about {count(needed)} a domain",
    )


def _own_scales(choice: ComparisonPlan) -> Limit:
    return Limit(
        f"Which crawler is better by {choice.measure.title}",
        "Each crawler measures it by the classifier that guides it; these are not on one scale.",
        "another measure",
    )


def _other_webs(outcomes: Outcomes) -> Limit:
    if outcomes.design.web == LIVE:
        return Limit(
            "The Web at another time",
            "Every page was fetched once; nothing here speaks of other pages or of later ones.",
            "a second experiment",
        )
    return Limit(
        "Other webs",
        f"{outcomes.design.web} is one recorded web; nothing here speaks of "
        "others or of the live Web.",
        "a second web",
    )
