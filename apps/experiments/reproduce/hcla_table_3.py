"""HCLA Table 3: precision and F1 at recall .1, .5 and 1.0 on WebKB, beside the paper's figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from apps.engine.evaluation.precision_recall import LEVELS, Level, at_levels
from apps.engine.evaluation.significance import half_interval
from apps.experiments.reproduce.hcla_protocol import (
    CRAWLERS,
    QUERIES,
    Crawler,
    Run,
    run,
    whole_vocabulary,
)
from apps.experiments.reproduce.options import Options, Say
from apps.experiments.reproduce.parted_web import PartedWeb

PUBLISHED_CATEGORY = "student"
PUBLISHED: Mapping[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "brfs": ((0.58, 0.32, 0.15), (0.17, 0.39, 0.26)),
    "bl": ((0.52, 0.24, 0.13), (0.17, 0.32, 0.23)),
    "ss1": ((0.63, 0.29, 0.17), (0.17, 0.37, 0.30)),
    "ss2": ((0.62, 0.34, 0.18), (0.18, 0.41, 0.31)),
    "pr": ((0.54, 0.32, 0.15), (0.16, 0.39, 0.26)),
    "hcla": ((0.56, 0.37, 0.21), (0.18, 0.43, 0.35)),
}
"""Precision and F1 at the three levels, by crawler (HCLA Table 3)."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over universities; `interval` is half of its 0.95 interval, None for one alone."""

    mean: float
    interval: float | None


@dataclass(frozen=True, slots=True)
class AtLevel:
    """What a crawler reaches at one level of recall."""

    recall: float
    precision: Figure
    interpolated: Figure
    f1: Figure
    reached: int


@dataclass(frozen=True, slots=True)
class One:
    """One crawl: pages, relevant ones found, and precision at the levels over all relevant."""

    university: str
    pages: int
    found: int
    relevant: int
    reachable: int
    precision: tuple[float, ...]
    harvest: float


@dataclass(frozen=True, slots=True)
class Line:
    """One crawler in one category, over the universities.

    `over_all` counts recall over all relevant pages of a university, `over_reachable` over those
    that links lead to. `harvest` is the mean of H(t) over the crawl, `pages` the sum of pages.
    """

    crawler: str
    title: str
    category: str
    universities: tuple[str, ...]
    pages: int
    over_all: tuple[AtLevel, ...]
    over_reachable: tuple[AtLevel, ...]
    harvest: Figure
    crawl_seconds: float
    reorder_seconds: float
    fit_seconds: float
    crawls: tuple[One, ...]


@dataclass(frozen=True, slots=True)
class Table3:
    """The lines of all categories, with how many relevant pages there are and can be reached."""

    web: str
    lines: tuple[Line, ...]
    relevant: Mapping[str, tuple[int, int]]

    def as_dict(self) -> dict[str, Any]:
        """All figures, and the paper's under `published`."""
        published = {
            crawler: {"precision": precision, "f1": f1}
            for crawler, (precision, f1) in PUBLISHED.items()
        }
        return {
            "table": "hcla-table-3",
            "web": self.web,
            "levels": LEVELS,
            "published": {PUBLISHED_CATEGORY: published},
            "categories": {
                category: {
                    "relevant": relevant,
                    "reachable": reachable,
                    "crawlers": {
                        line.crawler: asdict(line)
                        for line in self.lines if line.category == category
                    },
                }
                for category, (relevant, reachable) in self.relevant.items()
            },
        }

    def text(self) -> str:
        return "\n\n".join(self._category(category) for category in self.relevant)

    def _category(self, category: str) -> str:
        lines = [line for line in self.lines if line.category == category]
        relevant, reachable = self.relevant[category]
        head = (
            f"{category}: {relevant} relevant pages at {', '.join(lines[0].universities)}, "
            f"{reachable} of them within reach"
        )
        rows = [_HEAD, _SUBHEAD]
        for line in lines:
            rows += _rows(line, category)
        return "\n".join([head, "", *rows])


def reproduce(web: PartedWeb, options: Options, say: Say) -> Table3:
    """Crawls every university with every crawler for every category asked for."""
    categories = options.categories or tuple(QUERIES)
    universities = options.universities or tuple(web.names)
    crawlers = [c for c in CRAWLERS if not options.crawlers or c.id in options.crawlers]
    total = len(categories) * len(universities) * len(crawlers)
    runs: dict[tuple[str, str], list[Run]] = {(k, c.id): [] for k in categories for c in crawlers}
    vocabulary, done = whole_vocabulary(web), 0
    for university in universities:
        part = web.part(university)
        for category in categories:
            for crawler in crawlers:
                done += 1
                say(f"{done} of {total}: {category} at {university}, {crawler.title}")
                runs[category, crawler.id].append(
                    run(web, part, category, crawler, vocabulary, options.pages)
                )
    lines = tuple(_line(c, k, runs[k, c.id]) for k in categories for c in crawlers)
    relevant = {k: _relevant(runs[k, crawlers[0].id]) for k in categories}
    return Table3(options.web_name, lines, relevant)


def _relevant(runs: Sequence[Run]) -> tuple[int, int]:
    return sum(run.relevant for run in runs), sum(run.reachable for run in runs)


def _line(crawler: Crawler, category: str, runs: Sequence[Run]) -> Line:
    return Line(
        crawler=crawler.id,
        title=crawler.title,
        category=category,
        universities=tuple(run.university for run in runs),
        pages=sum(len(run.pages) for run in runs),
        over_all=_levels(runs, lambda run: run.relevant),
        over_reachable=_levels(runs, lambda run: run.reachable),
        harvest=_figure([_mean_harvest(run) for run in runs]),
        crawl_seconds=sum(run.crawl_seconds for run in runs),
        reorder_seconds=sum(run.reorder_seconds for run in runs),
        fit_seconds=sum(run.fit_seconds for run in runs),
        crawls=tuple(_one(run) for run in runs),
    )


def _one(run: Run) -> One:
    levels = at_levels(run.pages, run.relevant) if run.relevant else ()
    return One(
        run.university, len(run.pages), sum(run.pages), run.relevant, run.reachable,
        tuple(level.precision for level in levels), _mean_harvest(run),
    )


def _levels(runs: Sequence[Run], total: Callable[[Run], int]) -> tuple[AtLevel, ...]:
    """The levels over the universities that have anything to recall."""
    found = [at_levels(run.pages, total(run)) for run in runs if total(run)]
    return tuple(_at_level(levels) for levels in zip(*found, strict=True))


def _at_level(levels: tuple[Level, ...]) -> AtLevel:
    return AtLevel(
        levels[0].recall,
        _figure([level.precision for level in levels]),
        _figure([level.interpolated for level in levels]),
        _figure([level.f1 for level in levels]),
        sum(level.reached for level in levels),
    )


def _mean_harvest(run: Run) -> float:
    found = np.cumsum(run.pages)
    return float((found / np.arange(1, len(found) + 1)).mean())


def _figure(values: Sequence[float]) -> Figure:
    return Figure(float(np.mean(values)), half_interval(values))


_HEAD = f"{'':40}{'precision at recall':30}{'interpolated':20}{'F1':20}harvest"
_SUBHEAD = f"{'':40}{'.1':10}{'.5':10}{'1.0':10}{'.1':6}{'.5':6}{'1.0':8}{'.1':6}{'.5':6}1.0"


def _rows(line: Line, category: str) -> list[str]:
    levels = line.over_all
    rows = [
        f"{line.title:40}"
        + "".join(f"{_with_interval(level.precision):10}" for level in levels)
        + "".join(f"{level.interpolated.mean:<6.2f}" for level in levels) + "  "
        + "".join(f"{level.f1.mean:<6.2f}" for level in levels) + "  "
        + _with_interval(line.harvest)
    ]
    if category == PUBLISHED_CATEGORY and line.crawler in PUBLISHED:
        precision, f1 = PUBLISHED[line.crawler]
        rows.append(
            f"{'  in the paper':40}" + "".join(f"{p:<10.2f}" for p in precision) + " " * 20
            + "".join(f"{f:<6.2f}" for f in f1)
        )
    return rows


def _with_interval(figure: Figure) -> str:
    if figure.interval is None:
        return f"{figure.mean:.2f}"
    return f"{figure.mean:.2f}±{figure.interval:.2f}"
