"""The section on the value of labels, and on topics of few examples, in docs/effectiveness.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

from apps.engine.evaluation.significance import holm, paired_t_test, wins
from apps.experiments.results.paired_tests import LEVEL
from apps.figures.quantities import NOTHING, p_value
from apps.research.effectiveness.labels.result import ArmResult, LabelResult
from apps.research.effectiveness.labels.study import (
    BREADTH_FIRST,
    CHANGE,
    EVERY_PAGE,
    NO_LABELS,
    PROPOSED,
    RANDOM,
    SETTINGS,
)
from apps.research.markdown import render, table
from apps.topics.inputs.sampled_negatives import MOST

Counts = Callable[[ArmResult], Sequence[float]]


def label_sections(results: Sequence[LabelResult]) -> str:
    """The sections, or nothing without results."""
    if not results:
        return ""
    sections = {name: _section(results, name) for name in ("full", "weak")}
    return render("effectiveness/labels.md", change=CHANGE, **sections)


def _section(results: Sequence[LabelResult], name: str) -> Mapping[str, Any] | None:
    """The numbers and tables of a setting; None if no web was run with it."""
    setting = SETTINGS[name]
    run = [each for each in results if name in each.settings]
    if not run:
        return None
    weak = setting.positives is not None
    return {
        "labels": setting.labels,
        "at": setting.at,
        "pages": f"{run[0].pages:,}",
        "positives": setting.positives,
        "drawn": MOST,
        "repeats": [f"{each.web} {each.repeats}" for each in run if each.repeats > 1],
        "after": _after(run, name),
        "against_breadth_first": _against_breadth_first(run, name) if weak else "",
        **_gains(run, name),
    }


def _arms(run: Sequence[LabelResult], name: str) -> Sequence[str]:
    """The arms that all webs have, in their order."""
    first, *others = (each.settings[name].arms for each in run)
    return [arm for arm in first if all(arm in other for other in others)]


def _after(run: Sequence[LabelResult], name: str) -> str:
    arms = [arm for arm in _arms(run, name) if arm != BREADTH_FIRST]
    others = [arm for arm in arms if arm != NO_LABELS]
    tests = _corrected(run, name, others, NO_LABELS, _of_after)
    rows = [
        [arm, *(_cell(each, name, arm) for each in run), *_all(run, name, arm, tests)]
        for arm in arms
    ]
    head = [
        "",
        *(f"{each.web} ({len(each.topics)} topics)" for each in run),
        "all, × no labels",
        "better, worse on topics",
        "p after Holm",
        "positive labels",
    ]
    return table(head, rows)


def _cell(each: LabelResult, name: str, arm: str) -> str:
    mean, base = (_mean(each.settings[name].arms[which].after) for which in (arm, NO_LABELS))
    ratio = f" (× {mean / base:.2f})" if arm != NO_LABELS and base else ""
    return f"{mean:.2f}{ratio}"


def _all(run: Sequence[LabelResult], name: str, arm: str, tests: dict[str, float]) -> Sequence[str]:
    if arm == NO_LABELS:
        return ["1", NOTHING, NOTHING, NOTHING]
    mine, base = (_pooled(run, name, which, _of_after) for which in (arm, NO_LABELS))
    yes = _pooled(run, name, arm, lambda result: result.positives)
    better, worse = wins(mine, base)
    p = _p(tests[arm]) if arm in tests else NOTHING
    ratio = f"{sum(mine) / max(sum(base), 1):.3f}"
    return [ratio, f"{better}, {worse}", p, f"{_mean(yes):.1f}"]


def _against_breadth_first(run: Sequence[LabelResult], name: str) -> str:
    arms = [arm for arm in _arms(run, name) if arm != BREADTH_FIRST]
    tests = _corrected(run, name, arms, BREADTH_FIRST, _of_targets)
    rows = []
    for arm in arms:
        ratios = [_ratio(each, name, arm) for each in run]
        pooled, base = (_pooled(run, name, which, _of_targets) for which in (arm, BREADTH_FIRST))
        rows.append([arm, *ratios, f"{sum(pooled) / max(sum(base), 1):.2f}", _p(tests[arm])])
    head = [
        "targets in all, × breadth-first",
        *(each.web for each in run),
        "all",
        "p after Holm",
    ]
    return table(head, rows)


def _ratio(each: LabelResult, name: str, arm: str) -> str:
    mine, base = (_mean(each.settings[name].arms[a].targets) for a in (arm, BREADTH_FIRST))
    return f"{mine / base:.2f}" if base else NOTHING


def _gains(run: Sequence[LabelResult], name: str) -> Mapping[str, Any]:
    """The gains from proposed labels, and from the truth of every page, in percent."""
    others = [arm for arm in _arms(run, name) if arm not in (NO_LABELS, BREADTH_FIRST)]
    tests = _corrected(run, name, others, NO_LABELS, _of_after)
    mine, base, every = (
        _pooled(run, name, arm, _of_after) for arm in (PROPOSED, NO_LABELS, EVERY_PAGE)
    )
    random = _pooled(run, name, RANDOM, _of_after) if RANDOM in others else None
    p = None if random is None else paired_t_test(mine, random).p
    return {
        "proposed": 100 * (sum(mine) / max(sum(base), 1) - 1),
        "significant": tests[PROPOSED] < LEVEL,
        "against_random": None if p is None else p_value(p),
        "every_page": 100 * (sum(every) / max(sum(base), 1) - 1),
    }


def _corrected(
    run: Sequence[LabelResult], name: str, arms: Sequence[str], base: str, counts: Counts
) -> dict[str, float]:
    """The p-values of paired t-tests over all topics against the base, after Holm."""
    against = _pooled(run, name, base, counts)
    raw = [paired_t_test(_pooled(run, name, arm, counts), against).p for arm in arms]
    return dict(zip(arms, holm([1.0 if p is None else p for p in raw]), strict=True))


def _pooled(run: Sequence[LabelResult], name: str, arm: str, counts: Counts) -> Sequence[float]:
    by_web = (counts(each.settings[name].arms[arm]) for each in run)
    return [float(value) for value in chain.from_iterable(by_web)]


def _of_after(arm: ArmResult) -> Sequence[float]:
    return arm.after


def _of_targets(arm: ArmResult) -> Sequence[float]:
    return arm.targets


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
