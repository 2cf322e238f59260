"""The numbers of an experiment as CSV: measured values, tests, and p over the crawl.

Everything that is tested can be computed again from the first table alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from apps.engine.evaluation import numbers
from apps.experiments.results.choice import ComparisonPlan, available_measures, planned
from apps.experiments.results.outcomes import Outcome, Outcomes
from apps.experiments.results.over_the_crawl import p_over_the_crawl
from apps.experiments.results.paired_tests import Method, Test
from apps.experiments.results.standing import mean_of, paired_tests
from apps.exports.csv import CsvLines

Row = Mapping[str, Any]
CELL_COLUMNS = (
    "topic",
    "crawler",
    "strategy",
    "repetition",
    "random_seed",
    "hold_out",
    "pages",
    "fetched",
    "crawl_pages",
    "crawl_cpu_seconds",
    "reason",
    *numbers(),
)
TEST_COLUMNS = (
    "measure",
    "at",
    "crawler",
    "topics",
    "mean",
    "standard_error",
    "baseline",
    "pairs",
    "pairs_read_earlier",
    "paired_mean",
    "paired_base_mean",
    "difference",
    "interval_low",
    "interval_high",
    "bootstrap_low",
    "bootstrap_high",
    "t",
    "p_two_tailed",
    "holm_two_tailed",
    "p_one_tailed",
    "holm_one_tailed",
    "p_wilcoxon",
    "holm_wilcoxon",
    "compared",
    "effect",
    "better",
    "worse",
    "topics_needed",
)
P_COLUMNS = ("measure", "test", "crawler", "baseline", "pages", "p", "holm")


def rows_of_cells(outcomes: Outcomes) -> Iterator[Row]:
    """One row for each finished cell and page of the grid: the value of every measure, None if
    undefined.

    `hold_out` is what kept the topic's targets out of its background. `pages` is the moment,
    `fetched` the number of pages that the crawl had fetched by then: fewer if it had ended. From
    then on counts and recall stay as they were, rates and means are None; so is an estimated recall
    with too wide an interval.
    Repetitions are rows of their own.
    """
    for crawler in range(len(outcomes.crawlers)):
        for outcome in outcomes.of_crawler(crawler):
            yield from _of_cell(outcomes, outcome)


def _of_cell(outcomes: Outcomes, outcome: Outcome) -> Iterator[Row]:
    crawler, cell, at = outcomes.crawlers[outcome.crawler], outcome.cell, outcome.samples.at
    fixed = {
        "topic": outcomes.topics[outcome.topic].name,
        "crawler": crawler.label,
        "strategy": crawler.strategy,
        "repetition": cell.repetition,
        "random_seed": cell.random_seed,
        "hold_out": outcomes.hold_outs[outcome.topic],
        "crawl_pages": int(at.max(initial=0)),
        "crawl_cpu_seconds": cell.cpu_seconds,
        "reason": cell.reason,
    }
    curves = {name: outcome.curve(outcomes.grid, name).tolist() for name in numbers()}
    samples = np.searchsorted(at, outcomes.grid, side="right") - 1
    for row, pages in enumerate(outcomes.grid.tolist()):
        fetched = int(at[samples[row]]) if samples[row] >= 0 else 0
        values = {name: _none_if_nan(curve[row]) for name, curve in curves.items()}
        yield {**fixed, "pages": pages, "fetched": fetched, **values}


def _none_if_nan(value: float) -> float | None:
    return None if np.isnan(value) else value


def rows_of_tests(outcomes: Outcomes, choice: ComparisonPlan) -> Iterator[Row]:
    """One row for each available measure, moment and crawler: its mean over topics, and its tests
    against the baseline of the choice.

    The moments are the planned one, that of the choice, the end, and the whole crawl as area.
    """
    moments = dict.fromkeys((planned(outcomes).at, choice.at, int(outcomes.grid[-1]), None))
    for measure in available_measures(outcomes):
        for at in moments:
            yield from _tests(outcomes, replace(choice, measure=measure, at=at))


def _tests(outcomes: Outcomes, choice: ComparisonPlan) -> Iterator[Row]:
    tests = paired_tests(outcomes, choice)
    for index, crawler in enumerate(outcomes.crawlers):
        of_all = mean_of(outcomes, choice, index)
        own: dict[str, Any] = {
            "measure": choice.measure.id,
            "at": choice.moment,
            "crawler": crawler.label,
            "topics": of_all.n,
            "mean": of_all.mean,
            "standard_error": of_all.error,
        }
        test = tests.get(index)
        yield {**dict.fromkeys(TEST_COLUMNS), **own, **(_test(test) if test else {})}


def _test(test: Test) -> Row:
    p_values = {
        f"{kind}_{method.value}": value
        for method in Method
        for kind, value in (("p", test.p_of(method).raw), ("holm", test.p_of(method).holm))
    }
    return {
        "baseline": test.baseline,
        "pairs": test.topics,
        "pairs_read_earlier": test.earlier,
        "paired_mean": test.mean,
        "paired_base_mean": test.base_mean,
        "difference": test.difference,
        **_ends("interval", test.interval),
        **_ends("bootstrap", test.bootstrap),
        "t": test.t,
        **p_values,
        "compared": test.compared,
        "effect": test.effect,
        "better": test.better,
        "worse": test.worse,
        "topics_needed": test.needed,
    }


def _ends(name: str, interval: tuple[float, float] | None) -> Row:
    return dict(zip((f"{name}_low", f"{name}_high"), interval or (None, None), strict=True))


def rows_of_p(outcomes: Outcomes, choice: ComparisonPlan) -> Iterator[Row]:
    """One row for each available measure, crawler and page of the grid: p of the chosen test
    against the chosen baseline; none before the last cell has ended."""
    for measure in available_measures(outcomes):
        of_measure = replace(choice, measure=measure)
        fixed = {
            "measure": measure.id,
            "test": choice.test.value,
            "baseline": outcomes.crawlers[choice.baseline].label,
        }
        for course in p_over_the_crawl(outcomes, of_measure):
            for pages, raw, p in zip(
                outcomes.grid.tolist(), course.raw.tolist(), course.p.tolist(), strict=True
            ):
                yield {
                    **fixed,
                    "crawler": course.label,
                    "pages": pages,
                    "p": _none_if_nan(raw),
                    "holm": _none_if_nan(p),
                }


def csv_of_cells(outcomes: Outcomes) -> Iterator[bytes]:
    """`rows_of_cells` as CSV (UTF-8), numbers unrounded."""
    return _csv(CELL_COLUMNS, rows_of_cells(outcomes))


def csv_of_tests(outcomes: Outcomes, choice: ComparisonPlan) -> Iterator[bytes]:
    """`rows_of_tests` as CSV (UTF-8), numbers unrounded."""
    return _csv(TEST_COLUMNS, rows_of_tests(outcomes, choice))


def csv_of_p(outcomes: Outcomes, choice: ComparisonPlan) -> Iterator[bytes]:
    """`rows_of_p` as CSV (UTF-8), numbers unrounded."""
    return _csv(P_COLUMNS, rows_of_p(outcomes, choice))


def _csv(columns: Sequence[str], rows: Iterable[Row]) -> Iterator[bytes]:
    lines = CsvLines(columns)
    yield lines.heading()
    yield from map(lines.line, rows)
