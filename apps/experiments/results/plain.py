"""The answers as plain values, for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pydantic_core import to_jsonable_python

from apps.engine.evaluation.significance import Estimate
from apps.experiments.results.answer import ComparisonAnswer, answer
from apps.experiments.results.choice import ComparisonPlan, available_measures
from apps.experiments.results.groups import Grouping, by_difficulty, by_domain
from apps.experiments.results.nullable import nullable
from apps.experiments.results.outcomes import Outcomes
from apps.experiments.results.over_the_crawl import PCourse, p_over_the_crawl
from apps.experiments.results.standing import Standing, standings
from apps.experiments.results.trajectories import trajectories

Plain = dict[str, Any]


def as_dict(outcomes: Outcomes, choice: ComparisonPlan, curves: bool = False) -> Plain:
    """Everything, as plain values: shares 0–1, unknown values None.

    `crawlers` stand as the choice has it, `measures` has the same for every available measure, at
    the moment of the choice and as area. With `curves` also each measure's means over the crawl.
    """
    whole = answer(outcomes, choice)
    measures = available_measures(outcomes)
    return {
        **_head(whole),
        "grid": outcomes.grid.tolist(),
        "crawlers": [_standing(row) for row in whole.rows],
        "limits": [
            {"claim": each.claim, "why": each.why, "needed": each.needed} for each in whole.limits
        ],
        "over_the_crawl": [_course(each) for each in p_over_the_crawl(outcomes, choice)],
        "by_difficulty": _grouping(outcomes, by_difficulty(outcomes, choice)),
        "by_domain": _grouping(outcomes, by_domain(outcomes, choice)),
        "measures": [_measure(outcomes, replace(choice, measure=measure)) for measure in measures],
        "curves": list(_curves(outcomes)) if curves else None,
    }


def _head(whole: ComparisonAnswer) -> Plain:
    choice = whole.choice
    return {
        "measure": choice.measure.id,
        "at": choice.moment,
        "test": choice.test.value,
        "baseline": whole.rows[choice.baseline].label,
        "chosen_after_start": [*whole.after_start],
        "ended": whole.ended,
        "topics": whole.topics,
        "compared": whole.compared,
        "sentence": whole.verdict.sentence,
        "more": whole.verdict.more,
        "notes": [*whole.notes],
    }


def _standing(row: Standing) -> Plain:
    return {
        "crawler": row.label,
        "strategy": row.strategy,
        "value": _estimate(row.value),
        "area": _estimate(row.area),
        "words": "".join(words.text for words in row.words),
        "cpu_ms_per_page": row.milliseconds,
        "test": to_jsonable_python(row.test),
    }


def _estimate(mean: Estimate | None) -> Plain | None:
    if mean is None:
        return None
    return {"topics": mean.n, "mean": mean.mean, "standard_error": mean.error}


def _course(course: PCourse) -> Plain:
    return {
        "crawler": course.label,
        "p": nullable(course.raw),
        "holm": nullable(course.p),
        "for_good_from": course.for_good_from,
    }


def _grouping(outcomes: Outcomes, grouping: Grouping) -> Plain:
    labels = [crawler.label for crawler in outcomes.crawlers]
    return {
        "by": grouping.by,
        "note": grouping.note,
        "groups": [
            {
                "name": group.name,
                "topics": [outcomes.topics[index].name for index in group.topics],
                "crawlers": [
                    {"crawler": label, "value": _estimate(value), "difference": _estimate(change)}
                    for label, value, change in zip(
                        labels, group.values, group.differences, strict=True
                    )
                ],
            }
            for group in grouping.groups
        ],
    }


def _measure(outcomes: Outcomes, choice: ComparisonPlan) -> Plain:
    measure = choice.measure
    return {
        "measure": measure.id,
        "title": measure.title,
        "unit": measure.unit,
        "less_is_better": measure.less_is_better,
        "moments": [
            {"at": each.moment, "crawlers": [_standing(row) for row in standings(outcomes, each)]}
            for each in dict.fromkeys((choice, replace(choice, at=None)))
        ],
    }


def _curves(outcomes: Outcomes) -> Iterator[Plain]:
    for measure in available_measures(outcomes):
        for each in trajectories(outcomes, measure):
            yield {
                "measure": measure.id,
                "crawler": each.label,
                "mean": nullable(each.mean),
                "standard_error": nullable(each.error),
                "topics": each.topics.tolist(),
            }
