"""Crawlers compared over the parts of a web, at levels of recall and over time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from apps.engine.evaluation.precision_recall import Level, at_levels
from apps.engine.evaluation.significance import half_interval, holm, paired_t_test
from apps.papers.tables.hcla_protocol import ProtocolCrawler, Run, run, whole_vocabulary
from apps.papers.tables.options import Options, Report
from apps.papers.tables.parted_web import PartedWeb

TENTHS = tuple(i / 10 for i in range(1, 11))
HALF = 1
NO_CRAWLER = "oracle"


@dataclass(frozen=True, slots=True)
class UniversityMean:
    """A mean over universities; `interval` is half of its 0.95 interval, None for a single one."""

    mean: float
    interval: float | None


@dataclass(frozen=True, slots=True)
class AtLevel:
    """A crawler's figures at one level of recall."""

    recall: float
    precision: UniversityMean
    interpolated: UniversityMean
    f1: UniversityMean
    reached: int


@dataclass(frozen=True, slots=True)
class One:
    """One crawl: pages, relevant ones fetched, and precision at the levels over all relevant.

    `harvest` is the mean of H(t) over the crawl, `course` H(t) after each tenth of its pages.
    """

    university: str
    pages: int
    found: int
    relevant: int
    reachable: int
    precision: tuple[float, ...]
    harvest: float
    course: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Against:
    """A crawler compared with the first: the difference of the means, and p of a paired two-tailed
    test over universities, corrected by Holm for all crawlers; None if undefined."""

    difference: float
    p: float | None


@dataclass(frozen=True, slots=True)
class CategoryLine:
    """One crawler in one category, over the universities.

    `over_all` counts recall over all relevant pages of a university, `over_reachable` over those
    that links lead to. `harvest` is the mean of H(t) over the crawl, `course` H(t) after each
    tenth of the pages (HCLA Fig. 5), `curve` the precision at recall .1, .2 … 1.0 (Fig. 6), `pages`
    the sum of pages.
    """

    crawler: str
    title: str
    category: str
    universities: tuple[str, ...]
    pages: int
    over_all: tuple[AtLevel, ...]
    over_reachable: tuple[AtLevel, ...]
    harvest: UniversityMean
    course: tuple[UniversityMean, ...]
    curve: tuple[UniversityMean, ...]
    crawl_seconds: float
    reorder_seconds: float
    fit_seconds: float
    crawls: tuple[One, ...]
    harvest_against: Against | None = None
    precision_against: Against | None = None


Runs = Mapping[tuple[str, str], Sequence[Run]]


def crawled(
    web: PartedWeb,
    options: Options,
    report: Report,
    crawlers: Sequence[ProtocolCrawler],
    categories: Sequence[str],
) -> Runs:
    """Every university crawled with every crawler for every category, by category and crawler."""
    universities = options.universities or tuple(web.names)
    total = len(categories) * len(universities) * len(crawlers)
    runs: dict[tuple[str, str], list[Run]] = {(k, c.id): [] for k in categories for c in crawlers}
    vocabulary, done = whole_vocabulary(web), 0
    for university in universities:
        part = web.part(university)
        for category in categories:
            for crawler in crawlers:
                done += 1
                report(f"{done} of {total}: {category} at {university}, {crawler.title}")
                runs[category, crawler.id].append(
                    run(web, part, category, crawler, vocabulary, options.pages)
                )
    return runs


def lines_of(
    runs: Runs, crawlers: Sequence[ProtocolCrawler], category: str
) -> tuple[CategoryLine, ...]:
    """A line for each crawler, each compared with the first."""
    return _compared([_line(c, category, runs[category, c.id]) for c in crawlers])


def average_course(lines: Sequence[CategoryLine]) -> tuple[UniversityMean, ...]:
    """H(t) after each tenth of a crawl, averaged over all crawls of these lines (HCLA Fig. 5)."""
    return _figures([one.course for line in lines for one in line.crawls])


def _line(crawler: ProtocolCrawler, category: str, runs: Sequence[Run]) -> CategoryLine:
    ones = tuple(_one(run) for run in runs)
    return CategoryLine(
        crawler=crawler.id,
        title=crawler.title,
        category=category,
        universities=tuple(run.university for run in runs),
        pages=sum(len(run.pages) for run in runs),
        over_all=_levels(runs, lambda run: run.relevant),
        over_reachable=_levels(runs, lambda run: run.reachable),
        harvest=_figure([one.harvest for one in ones]),
        course=_figures([one.course for one in ones]),
        curve=_figures(
            [
                [level.precision for level in at_levels(run.pages, run.relevant, TENTHS)]
                for run in runs
                if run.relevant
            ]
        ),
        crawl_seconds=sum(run.crawl_seconds for run in runs),
        reorder_seconds=sum(run.reorder_seconds for run in runs),
        fit_seconds=sum(run.fit_seconds for run in runs),
        crawls=ones,
    )


def _one(run: Run) -> One:
    levels = at_levels(run.pages, run.relevant) if run.relevant else ()
    harvest = np.cumsum(run.pages) / np.arange(1, len(run.pages) + 1)
    tenths = [max(1, round(tenth * len(harvest))) - 1 for tenth in TENTHS]
    return One(
        run.university,
        len(run.pages),
        sum(run.pages),
        run.relevant,
        run.reachable,
        tuple(level.precision for level in levels),
        float(harvest.mean()),
        tuple(harvest[tenths].tolist()),
    )


def _levels(runs: Sequence[Run], total: Callable[[Run], int]) -> tuple[AtLevel, ...]:
    """The levels over the universities that have relevant pages."""
    by_run = [at_levels(run.pages, total(run)) for run in runs if total(run)]
    return tuple(_at_level(levels) for levels in zip(*by_run, strict=True))


def _at_level(levels: tuple[Level, ...]) -> AtLevel:
    return AtLevel(
        levels[0].recall,
        _figure([level.precision for level in levels]),
        _figure([level.interpolated for level in levels]),
        _figure([level.f1 for level in levels]),
        sum(level.reached for level in levels),
    )


def _compared(lines: Sequence[CategoryLine]) -> tuple[CategoryLine, ...]:
    """The lines, each with its difference from the first, except the oracle, which is not a
    crawler."""
    rest = [line for line in lines[1:] if line.crawler != NO_CRAWLER]
    harvest = _against(lines[0], rest, lambda one: one.harvest)
    precision = _against(lines[0], rest, lambda one: one.precision[HALF] if one.precision else 0.0)
    tested = {
        line.crawler: replace(line, harvest_against=h, precision_against=p)
        for line, h, p in zip(rest, harvest, precision, strict=True)
    }
    return tuple(tested.get(line.crawler, line) for line in lines)


def _against(
    first: CategoryLine, rest: Sequence[CategoryLine], value: Callable[[One], float]
) -> list[Against]:
    one = [value(crawl) for crawl in first.crawls]
    tests = [paired_t_test([value(crawl) for crawl in line.crawls], one) for line in rest]
    after_holm = holm([test.p for test in tests])
    return [Against(test.difference or 0.0, p) for test, p in zip(tests, after_holm, strict=True)]


def _figures(rows: Sequence[Sequence[float]]) -> tuple[UniversityMean, ...]:
    return tuple(_figure(column) for column in zip(*rows, strict=True))


def _figure(values: Sequence[float]) -> UniversityMean:
    return UniversityMean(float(np.mean(values)), half_interval(values))
