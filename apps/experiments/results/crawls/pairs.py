"""Crawlers compared over topics, by pairs of crawls of the same topic (LC §7, SL §5.1)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.crawls.models import Crawl
from apps.experiments.results.crawls.set_ups import crawler_labels, key
from apps.experiments.results.crawls.table import MeasureValues
from apps.experiments.results.paired_tests import Test, corrected, paired_test

LEAST_TOPICS = 2
"""Eight crawls are at most four topics of two crawlers: they are tested, with a warning."""


@dataclass(frozen=True, slots=True)
class PairedCrawler:
    """One way of crawling, and the indices of its crawls by topic."""

    label: str
    by_topic: Mapping[int, tuple[int, ...]]


def crawlers(crawls: Sequence[Crawl]) -> tuple[PairedCrawler, ...]:
    """The ways of crawling that share at least two topics with the first one, which comes first;
    empty if there is no other."""
    groups: dict[tuple[Any, ...], dict[int, list[int]]] = {}
    for index, crawl in enumerate(crawls):
        groups.setdefault(key(crawl), {}).setdefault(crawl.topic_id, []).append(index)
    base, *others = groups.values()
    paired = [base, *(each for each in others if len({*base} & {*each}) >= LEAST_TOPICS)]
    if len(paired) < 2:
        return ()
    firsts = [crawls[next(iter(each.values()))[0]] for each in paired]
    return tuple(
        PairedCrawler(label, {topic: tuple(indices) for topic, indices in each.items()})
        for label, each in zip(crawler_labels(firsts), paired, strict=True)
    )


def tests(
    ways: Sequence[PairedCrawler],
    rows: Sequence[MeasureValues],
    left_out: Mapping[str, frozenset[int]],
) -> tuple[Test, ...]:
    """Tests of each crawler against the first by each measure, over the topics where both have a
    value.

    `left_out` has the topics whose crawls cannot be compared by a measure.
    """
    results: list[Test] = []
    for row in rows:
        made = [
            test
            for crawler in ways[1:]
            if (test := _test(row, crawler, ways[0], left_out[row.measure.id]))
        ]
        results += corrected(made)
    return tuple(results)


def _test(
    row: MeasureValues, crawler: PairedCrawler, base: PairedCrawler, left_out: frozenset[int]
) -> Test | None:
    topics = [
        topic for topic in base.by_topic if topic in crawler.by_topic and topic not in left_out
    ]
    first, second = (
        [_value(row, each.by_topic[topic]) for topic in topics] for each in (crawler, base)
    )
    made = paired_test(row.measure, (crawler.label, base.label), first, second, LEAST_TOPICS)
    return made if made and made.topics >= LEAST_TOPICS else None


def _value(row: MeasureValues, indices: Sequence[int]) -> float:
    """The mean over one crawler's crawls of one topic, at the common number of pages; NaN if it is
    unknown."""
    cells = [row.cells[index] for index in indices]
    values = [cell.at_common for cell in cells if cell and cell.at_common is not None]
    return sum(values) / len(values) if values else math.nan
