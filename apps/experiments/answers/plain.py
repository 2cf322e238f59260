"""The answers as plain values, for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pydantic_core import to_jsonable_python

from apps.engine.evaluation.significance import Estimate
from apps.experiments.answers.answer import Answer, answer
from apps.experiments.answers.choice import Choice, known_measures
from apps.experiments.answers.groups import Grouping, by_difficulty, by_domain
from apps.experiments.answers.over_the_crawl import PCourse, p_over_the_crawl
from apps.experiments.answers.standing import Standing, standings
from apps.experiments.answers.trajectories import trajectories
from apps.experiments.known_values import known_values
from apps.experiments.outcomes import Outcomes

Plain = dict[str, Any]


def as_dict(found: Outcomes, choice: Choice, curves: bool = False) -> Plain:
    """Everything, as plain values: shares 0–1, unknown values None.

    `crawlers` stand as the choice has it, `measures` has the same for every known measure, at the
    moment of the choice and as area. With `curves` also each measure's means over the crawl.
    """
    whole = answer(found, choice)
    known = known_measures(found)
    return {
        **_head(whole),
        "grid": found.grid.tolist(),
        "crawlers": [_standing(row) for row in whole.rows],
        "limits": [{"claim": each.claim, "why": each.why, "needed": each.needed}
                   for each in whole.limits],
        "over_the_crawl": [_course(each) for each in p_over_the_crawl(found, choice)],
        "by_difficulty": _grouping(found, by_difficulty(found, choice)),
        "by_domain": _grouping(found, by_domain(found, choice)),
        "measures": [_measure(found, replace(choice, measure=measure)) for measure in known],
        "curves": list(_curves(found)) if curves else None,
    }  # fmt: skip


def _head(whole: Answer) -> Plain:
    choice = whole.choice
    return {
        "measure": choice.measure.id, "at": choice.moment, "test": choice.test.value,
        "baseline": whole.rows[choice.baseline].label, "chosen_after_start": [*whole.after_start],
        "ended": whole.ended, "topics": whole.topics, "compared": whole.compared,
        "sentence": whole.verdict.sentence, "more": whole.verdict.more, "notes": [*whole.notes],
    }  # fmt: skip


def _standing(row: Standing) -> Plain:
    return {
        "crawler": row.label, "strategy": row.strategy, "value": _estimate(row.value),
        "area": _estimate(row.area), "words": "".join(words.text for words in row.words),
        "cpu_ms_per_page": row.milliseconds, "test": to_jsonable_python(row.test),
    }  # fmt: skip


def _estimate(found: Estimate | None) -> Plain | None:
    if found is None:
        return None
    return {"topics": found.n, "mean": found.mean, "standard_error": found.error}


def _course(course: PCourse) -> Plain:
    return {"crawler": course.label, "p": known_values(course.raw), "holm": known_values(course.p),
            "for_good_from": course.for_good_from}  # fmt: skip


def _grouping(found: Outcomes, grouping: Grouping) -> Plain:
    labels = [crawler.label for crawler in found.crawlers]
    return {
        "by": grouping.by, "note": grouping.note,
        "groups": [
            {
                "name": group.name, "topics": [found.topics[place].name for place in group.topics],
                "crawlers": [
                    {"crawler": label, "value": _estimate(value), "difference": _estimate(change)}
                    for label, value, change
                    in zip(labels, group.values, group.differences, strict=True)
                ],
            }
            for group in grouping.groups
        ],
    }  # fmt: skip


def _measure(found: Outcomes, choice: Choice) -> Plain:
    measure = choice.measure
    return {
        "measure": measure.id, "title": measure.title, "unit": measure.unit,
        "less_is_better": measure.less_is_better,
        "moments": [
            {"at": each.moment, "crawlers": [_standing(row) for row in standings(found, each)]}
            for each in dict.fromkeys((choice, replace(choice, at=None)))
        ],
    }  # fmt: skip


def _curves(found: Outcomes) -> Iterator[Plain]:
    for measure in known_measures(found):
        for each in trajectories(found, measure):
            yield {"measure": measure.id, "crawler": each.label, "mean": known_values(each.mean),
                   "standard_error": known_values(each.error), "topics": each.topics.tolist()}
