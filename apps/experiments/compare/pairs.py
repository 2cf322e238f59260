"""Crawlers compared over topics, by pairs of crawls of the same topic (LC §7, SL §5.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from apps.crawls.models import Crawl
from apps.engine.evaluation.measure import Measure
from apps.engine.evaluation.significance import (
    bootstrap_interval,
    effect_size,
    holm,
    paired_t_test,
    pairs_needed,
    wilcoxon_p,
)
from apps.experiments.compare.set_ups import crawler_labels, key
from apps.experiments.compare.table import Row

LEAST_TOPICS = 2
ENOUGH_FOR_WILCOXON = 6


@dataclass(frozen=True, slots=True)
class Crawler:
    """One way of crawling, and the indices of its crawls by topic."""

    label: str
    by_topic: Mapping[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Test:
    """A crawler compared with the baseline over the `topics` topics that both have crawled.

    `mean` and `base_mean` are the two means at the common number of pages, `interval` the
    difference with a confidence of 0.95 by Student's t, `bootstrap` by resampling the topics; `p`
    that of the two-tailed paired t-test, `holm` corrected for all crawlers of the measure,
    `wilcoxon` of the signed ranks. `effect` is Cohen's d, `needed` how many topics would show a
    difference of that size with a power of .8. None if undefined.
    """

    measure: type[Measure]
    crawler: str
    baseline: str
    topics: int
    mean: float
    base_mean: float
    interval: tuple[float, float] | None
    bootstrap: tuple[float, float] | None
    p: float | None
    holm: float | None
    wilcoxon: float | None
    effect: float | None
    better: int
    worse: int
    needed: int | None

    @property
    def difference(self) -> float:
        return self.mean - self.base_mean

    @property
    def shown(self) -> bool:
        """Whether the difference is significant at 0.05 after Holm."""
        return self.holm is not None and self.holm < 0.05


def crawlers(crawls: Sequence[Crawl]) -> tuple[Crawler, ...]:
    """The ways of crawling that share at least two topics with the first one, which comes first;
    empty if there is no other."""
    groups: dict[tuple[Any, ...], dict[int, list[int]]] = {}
    for place, crawl in enumerate(crawls):
        groups.setdefault(key(crawl), {}).setdefault(crawl.topic_id, []).append(place)
    base, *others = groups.values()
    paired = [base, *(each for each in others if len({*base} & {*each}) >= LEAST_TOPICS)]
    if len(paired) < 2:
        return ()
    firsts = [crawls[next(iter(each.values()))[0]] for each in paired]
    return tuple(
        Crawler(label, {topic: tuple(places) for topic, places in each.items()})
        for label, each in zip(crawler_labels(firsts), paired, strict=True)
    )


def tests(
    found: Sequence[Crawler], rows: Sequence[Row], left_out: Mapping[str, frozenset[int]]
) -> tuple[Test, ...]:
    """For each measure a test of each crawler against the first, over the topics where both have a
    value.

    `left_out` has, by measure, the topics whose crawls cannot be compared by it.
    """
    results: list[Test] = []
    for row in rows:
        made = [test for crawler in found[1:]
                if (test := _test(row, crawler, found[0], left_out[row.measure.id]))]
        results += _corrected(made)
    return tuple(results)


def _test(row: Row, crawler: Crawler, base: Crawler, left_out: frozenset[int]) -> Test | None:
    pairs = [(_value(row, crawler.by_topic[topic]), _value(row, base.by_topic[topic]))
             for topic in base.by_topic if topic in crawler.by_topic and topic not in left_out]
    known = [(one, other) for one, other in pairs if one is not None and other is not None]
    if len(known) < LEAST_TOPICS:
        return None
    first, second = map(list, zip(*known, strict=True))
    sign = -1 if row.measure.less_is_better else 1
    signs = [int(np.sign(sign * (one - other))) for one, other in known]
    tested, effect = paired_t_test(first, second), effect_size(first, second)
    return Test(
        row.measure, crawler.label, base.label, len(known), float(np.mean(first)),
        float(np.mean(second)), tested.interval, bootstrap_interval(first, second), tested.p, None,
        wilcoxon_p(first, second), effect, signs.count(1), signs.count(-1),
        None if effect is None else pairs_needed(effect),
    )


def _value(row: Row, places: Sequence[int]) -> float | None:
    """The mean over one crawler's crawls of one topic, at the common number of pages."""
    cells = [row.cells[place] for place in places]
    values = [cell.at_common for cell in cells if cell and cell.at_common is not None]
    return sum(values) / len(values) if values else None


def _corrected(made: Sequence[Test]) -> list[Test]:
    known = iter(holm([test.p for test in made if test.p is not None]))
    return [test if test.p is None else replace(test, holm=next(known)) for test in made]
