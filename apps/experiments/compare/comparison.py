"""A comparison of crawls: everything that the screen, the API and the command show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from apps.crawls.models import Crawl
from apps.engine.evaluation import MEASURES
from apps.engine.evaluation.measure import Witness
from apps.experiments.compare import pairs, verdict
from apps.experiments.compare.course import Axis, Course, common_pages, course
from apps.experiments.compare.fairness import Unlike, cautions, unlike
from apps.experiments.compare.page_sets import PageSets, page_sets
from apps.experiments.compare.set_ups import Setting, differences, labels
from apps.experiments.compare.table import Cell, Row, rows
from apps.experiments.paired_tests import Test
from apps.experiments.sentences import Verdict, Words
from apps.topics.models import Topic


@dataclass(frozen=True, slots=True)
class Group:
    """The crawls of one topic among those compared, by their indices; `pages` if there are
    several."""

    topic: Topic
    places: tuple[int, ...]
    unlike: tuple[Unlike, ...]
    pages: PageSets | None

    @property
    def spoiled(self) -> frozenset[Witness]:
        """The witnesses by which its crawls cannot be compared."""
        return frozenset[Witness]().union(*(each.spoils for each in self.unlike))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Crawls in their order; the first of each topic is its baseline.

    `common` is the largest number of pages that all have reached. `tests` exist if several topics
    were crawled by the same crawlers.
    """

    crawls: tuple[Crawl, ...]
    labels: tuple[str, ...]
    axis: Axis
    courses: tuple[Course, ...]
    common: int | None
    rows: tuple[Row, ...]
    settings: tuple[Setting, ...]
    groups: tuple[Group, ...]
    tests: tuple[Test, ...]
    verdict: Verdict
    cautions: tuple[str, ...]

    @property
    def unlike(self) -> tuple[tuple[Topic, Unlike], ...]:
        """How crawls of the same topic differ in what they were given or judged by."""
        return tuple((group.topic, each) for group in self.groups for each in group.unlike)


def compare(crawls: Sequence[Crawl], axis: Axis = Axis.PAGES) -> Comparison:
    """Compares crawls, which come with topic, web and snapshot."""
    names = labels(crawls)
    courses = [course(crawl) for crawl in crawls]
    started = [each for each in courses if len(each.pages)]
    common = common_pages(started) if len(started) == len(courses) else None
    groups = tuple(_groups(crawls))
    several = len(groups) > 1
    spoiled = frozenset[Witness]().union(*(group.spoiled for group in groups))
    found = rows(courses, axis, common, _bases(groups, len(crawls)), spoiled)
    tests = pairs.tests(pairs.crawlers(crawls), found, _left_out(groups)) if several else ()
    return Comparison(
        tuple(crawls), names, axis, tuple(courses), common, found, differences(crawls), groups,
        tests, _verdict(groups, found, names, courses, common, tests), cautions(crawls, names),
    )


def _groups(crawls: Sequence[Crawl]) -> Iterator[Group]:
    by_topic: dict[int, list[int]] = {}
    for place, crawl in enumerate(crawls):
        by_topic.setdefault(crawl.topic_id, []).append(place)
    for places in by_topic.values():
        own = [crawls[place] for place in places]
        pages = page_sets(own) if len(own) > 1 else None
        yield Group(own[0].topic, tuple(places), unlike(own), pages)


def _bases(groups: Sequence[Group], crawls: int) -> list[int | None]:
    """The index of each crawl's baseline; None if its topic's crawls cannot be compared at all."""
    bases: list[int | None] = [None] * crawls
    for group in groups:
        for place in group.places:
            bases[place] = None if any(each.all for each in group.unlike) else group.places[0]
    return bases


def _left_out(groups: Sequence[Group]) -> Mapping[str, frozenset[int]]:
    """By measure the topics whose crawls cannot be compared by it."""
    return {
        measure.id: frozenset(g.topic.pk for g in groups if measure.witness in g.spoiled)
        for measure in MEASURES
    }


def _verdict(
    groups: Sequence[Group], found: Sequence[Row], names: Sequence[str],
    courses: Sequence[Course], common: int | None, tests: Sequence[Test],
) -> Verdict:
    if tests:
        return verdict.of_pairs(tests, common)
    if len(groups) > 1:
        return Verdict((Words(verdict.SEVERAL_TOPICS),))
    pages = groups[0].pages
    if pages and pages.same_pages:
        return verdict.of_same_pages(len(names), pages.different, pages.same_order)
    return verdict.of_one_topic(found, names, common, _targets(courses))


def _targets(courses: Sequence[Course]) -> int | None:
    """How many targets there are, if it is the same for every crawl, else None."""
    told = {float(values[-1]) for each in courses if len(values := each.values["targets"])}
    known = [number for number in told if np.isfinite(number)]
    return int(known[0]) if len(known) == len(told) == 1 and known[0] else None


def as_dict(found: Comparison, curves: bool = False) -> dict[str, Any]:
    """Plain values and the tests: shares 0–1, unknown values None; with `curves` also the thinned
    curves of each measure."""
    plain = {
        "x": found.axis.value,
        "common_pages": found.common,
        "sentence": found.verdict.sentence,
        "more": found.verdict.more,
        "cannot": list(found.verdict.cannot),
        "unlike": [{"topic": topic.name, "what": each.what, "sentence": each.sentence}
                   for topic, each in found.unlike],
        "cautions": list(found.cautions),
        "crawls": [_crawl(*each) for each in zip(found.crawls, found.labels, strict=True)],
        "measures": [_measure(row, found.crawls) for row in found.rows],
        "settings": [{"name": each.name, "values": list(each.values)} for each in found.settings],
        "pages": [_pages(group) for group in found.groups if group.pages],
        "tests": list(found.tests),
    }  # fmt: skip
    return plain | {"curves": list(_curves(found)) if curves else None}


def _crawl(crawl: Crawl, label: str) -> dict[str, Any]:
    return {
        "crawl": crawl.pk, "label": label, "topic": crawl.topic.name, "strategy": crawl.strategy,
        "web": crawl.web.name, "judged_by": crawl.judged_by or None, "state": crawl.state,
        "pages": crawl.pages, "seconds": round(crawl.seconds, 3),
        "cpu_seconds": round(crawl.cpu_seconds, 3), "random_seed": crawl.random_seed,
    }  # fmt: skip


def _measure(row: Row, crawls: Sequence[Crawl]) -> dict[str, Any]:
    return {
        "measure": row.measure.id, "title": row.measure.title, "unit": row.measure.unit,
        "comparable": row.comparable, "span": list(row.span) if row.span else None,
        "values": [{"crawl": crawl.pk, **_cell(cell)}
                   for crawl, cell in zip(crawls, row.cells, strict=True)],
    }  # fmt: skip


def _cell(cell: Cell | None) -> dict[str, Any]:
    names = ("final", "best", "best_at", "area", "at_common", "difference")
    if cell is None:
        return dict.fromkeys(names)
    best = (cell.best.value, cell.best.at) if cell.best else (None, None)
    values = (cell.final, *best, cell.area, cell.at_common, cell.difference)
    return dict(zip(names, values, strict=True))


def _pages(group: Group) -> dict[str, Any]:
    sets = group.pages
    assert sets is not None
    return {
        "topic": group.topic.name, "different": sets.different, "in_all": sets.in_all,
        "alone": [{"crawl": crawl, "pages": sets.alone(crawl)} for crawl in sets.crawls],
        "pairs": [{"first": one, "second": other, **asdict(sets.shared(one, other)),
                   "share": sets.shared(one, other).share} for one, other in sets.pairs],
        "same_pages": sets.same_pages, "same_order": sets.same_order,
        "alike_until": sets.alike_until, "unlisted": sets.unlisted,
    }  # fmt: skip


def _curves(found: Comparison) -> Iterator[dict[str, Any]]:
    for row in found.rows:
        for crawl, each in zip(found.crawls, found.courses, strict=True):
            curve = each.curve(row.measure.id, found.axis)
            if curve is not None:
                drawn = curve.thinned()
                yield {"crawl": crawl.pk, "measure": row.measure.id, "x": drawn.x.tolist(),
                       "y": drawn.y.tolist()}  # fmt: skip
