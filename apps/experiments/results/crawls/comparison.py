"""A comparison of crawls: everything that the screen, the API and the command show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from apps.crawls.models import Crawl
from apps.engine.evaluation import MEASURES
from apps.engine.evaluation.measure import Witness
from apps.experiments.results.crawls import pairs, verdict
from apps.experiments.results.crawls.course import CrawlCourse, CurveAxis, common_pages, course
from apps.experiments.results.crawls.fairness import Unlike, cautions, unlike
from apps.experiments.results.crawls.page_sets import PageSets, page_sets
from apps.experiments.results.crawls.repeats import Repeat, repeat_of
from apps.experiments.results.crawls.set_ups import SettingDifference, differences, labels
from apps.experiments.results.crawls.table import CrawlValue, MeasureValues, rows
from apps.experiments.results.paired_tests import Test
from apps.experiments.results.sentences import Conclusion, SentencePart
from apps.topics.models import Topic


@dataclass(frozen=True, slots=True)
class CrawlGroup:
    """The crawls of one topic among those compared, by their indices; `pages` if there are
    several."""

    topic: Topic
    indices: tuple[int, ...]
    unlike: tuple[Unlike, ...]
    pages: PageSets | None

    @property
    def spoiled(self) -> frozenset[Witness]:
        """The witnesses by which its crawls cannot be compared."""
        return frozenset[Witness]().union(*(each.spoils for each in self.unlike))


@dataclass(frozen=True, slots=True)
class CrawlComparison:
    """Crawls in their order; the first of each topic is its baseline.

    `common` is the largest number of pages that all have reached. `tests` exist if several topics
    were crawled by the same crawlers.
    """

    crawls: tuple[Crawl, ...]
    labels: tuple[str, ...]
    axis: CurveAxis
    courses: tuple[CrawlCourse, ...]
    common: int | None
    rows: tuple[MeasureValues, ...]
    settings: tuple[SettingDifference, ...]
    groups: tuple[CrawlGroup, ...]
    tests: tuple[Test, ...]
    verdict: Conclusion
    cautions: tuple[str, ...]

    @property
    def unlike(self) -> tuple[tuple[Topic, Unlike], ...]:
        """How crawls of the same topic differ in what they were given or judged by."""
        return tuple((group.topic, each) for group in self.groups for each in group.unlike)


def compare(crawls: Sequence[Crawl], axis: CurveAxis = CurveAxis.PAGES) -> CrawlComparison:
    """Compares crawls, which come with topic, web and snapshot."""
    names = labels(crawls)
    courses = [course(crawl) for crawl in crawls]
    started = [each for each in courses if len(each.pages)]
    common = common_pages(started) if len(started) == len(courses) else None
    groups = tuple(_groups(crawls))
    several = len(groups) > 1
    spoiled = frozenset[Witness]().union(*(group.spoiled for group in groups))
    measure_rows = rows(courses, axis, common, _bases(groups, len(crawls)), spoiled)
    tests = pairs.tests(pairs.crawlers(crawls), measure_rows, _left_out(groups)) if several else ()
    settings = differences(crawls)
    repeat = None if several else repeat_of(crawls, settings, groups[0].pages)
    return CrawlComparison(
        tuple(crawls),
        names,
        axis,
        tuple(courses),
        common,
        measure_rows,
        settings,
        groups,
        tests,
        _verdict(groups, measure_rows, names, courses, common, tests, repeat),
        cautions(crawls, names),
    )


def _groups(crawls: Sequence[Crawl]) -> Iterator[CrawlGroup]:
    by_topic: dict[int, list[int]] = {}
    for index, crawl in enumerate(crawls):
        by_topic.setdefault(crawl.topic_id, []).append(index)
    for indices in by_topic.values():
        own = [crawls[index] for index in indices]
        pages = page_sets(own) if len(own) > 1 else None
        yield CrawlGroup(own[0].topic, tuple(indices), unlike(own), pages)


def _bases(groups: Sequence[CrawlGroup], crawls: int) -> list[int | None]:
    """The index of each crawl's baseline; None if its topic's crawls cannot be compared at all."""
    bases: list[int | None] = [None] * crawls
    for group in groups:
        for index in group.indices:
            bases[index] = None if any(each.all for each in group.unlike) else group.indices[0]
    return bases


def _left_out(groups: Sequence[CrawlGroup]) -> Mapping[str, frozenset[int]]:
    """The topics whose crawls cannot be compared by a measure, by measure."""
    return {
        measure.id: frozenset(g.topic.pk for g in groups if measure.witness in g.spoiled)
        for measure in MEASURES
    }


def _verdict(
    groups: Sequence[CrawlGroup],
    measure_rows: Sequence[MeasureValues],
    names: Sequence[str],
    courses: Sequence[CrawlCourse],
    common: int | None,
    tests: Sequence[Test],
    repeat: Repeat | None,
) -> Conclusion:
    if tests:
        return verdict.of_pairs(tests, common)
    if len(groups) > 1:
        return Conclusion((SentencePart(verdict.SEVERAL_TOPICS),))
    pages = groups[0].pages
    if repeat and repeat.differs:
        return verdict.of_repeat(repeat)
    if pages and pages.same_pages:
        return verdict.of_same_pages(len(names), pages.different, pages.same_order)
    return verdict.of_one_topic(measure_rows, names, common, _targets(courses))


def _targets(courses: Sequence[CrawlCourse]) -> int | None:
    """How many targets there are, if it is the same for every crawl, else None."""
    totals = {float(values[-1]) for each in courses if len(values := each.values["targets"])}
    defined = [number for number in totals if np.isfinite(number)]
    return int(defined[0]) if len(defined) == len(totals) == 1 and defined[0] else None


def as_dict(comparison: CrawlComparison, curves: bool = False) -> dict[str, Any]:
    """Plain values and the tests: shares 0–1, unknown values None; with `curves` also the thinned
    curves of each measure."""
    plain = {
        "x": comparison.axis.value,
        "common_pages": comparison.common,
        "sentence": comparison.verdict.sentence,
        "more": comparison.verdict.more,
        "cannot": list(comparison.verdict.cannot),
        "unlike": [
            {"topic": topic.name, "what": each.what, "sentence": each.sentence}
            for topic, each in comparison.unlike
        ],
        "cautions": list(comparison.cautions),
        "crawls": [
            _crawl(*each) for each in zip(comparison.crawls, comparison.labels, strict=True)
        ],
        "measures": [_measure(row, comparison.crawls) for row in comparison.rows],
        "settings": [
            {"name": each.name, "values": list(each.values)} for each in comparison.settings
        ],
        "pages": [_pages(group) for group in comparison.groups if group.pages],
        "tests": list(comparison.tests),
    }
    return plain | {"curves": list(_curves(comparison)) if curves else None}


def _crawl(crawl: Crawl, label: str) -> dict[str, Any]:
    return {
        "crawl": crawl.pk,
        "label": label,
        "topic": crawl.topic.name,
        "strategy": crawl.strategy,
        "web": crawl.web.name,
        "judged_by": crawl.judged_by or None,
        "state": crawl.state,
        "pages": crawl.pages,
        "seconds": round(crawl.seconds, 3),
        "cpu_seconds": round(crawl.cpu_seconds, 3),
        "random_seed": crawl.random_seed,
    }


def _measure(row: MeasureValues, crawls: Sequence[Crawl]) -> dict[str, Any]:
    return {
        "measure": row.measure.id,
        "title": row.measure.title,
        "unit": row.measure.unit,
        "comparable": row.comparable,
        "span": list(row.span) if row.span else None,
        "values": [
            {"crawl": crawl.pk, **_cell(cell)}
            for crawl, cell in zip(crawls, row.cells, strict=True)
        ],
    }


def _cell(cell: CrawlValue | None) -> dict[str, Any]:
    names = ("final", "best", "best_at", "area", "at_common", "difference")
    if cell is None:
        return dict.fromkeys(names)
    best = (cell.best.value, cell.best.at) if cell.best else (None, None)
    values = (cell.final, *best, cell.area, cell.at_common, cell.difference)
    return dict(zip(names, values, strict=True))


def _pages(group: CrawlGroup) -> dict[str, Any]:
    sets = group.pages
    assert sets is not None
    return {
        "topic": group.topic.name,
        "different": sets.different,
        "in_all": sets.in_all,
        "alone": [{"crawl": crawl, "pages": sets.alone(crawl)} for crawl in sets.crawls],
        "pairs": [
            {
                "first": one,
                "second": other,
                **asdict(sets.shared(one, other)),
                "share": sets.shared(one, other).share,
            }
            for one, other in sets.pairs
        ],
        "same_pages": sets.same_pages,
        "same_order": sets.same_order,
        "alike_until": sets.alike_until,
        "unlisted": sets.unlisted,
    }


def _curves(comparison: CrawlComparison) -> Iterator[dict[str, Any]]:
    for row in comparison.rows:
        for crawl, each in zip(comparison.crawls, comparison.courses, strict=True):
            curve = each.curve(row.measure.id, comparison.axis)
            if curve is not None:
                drawn = curve.thinned()
                yield {
                    "crawl": crawl.pk,
                    "measure": row.measure.id,
                    "x": drawn.x.tolist(),
                    "y": drawn.y.tolist(),
                }
