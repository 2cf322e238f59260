"""HCLA Table 3: precision and F1 at recall .1, .5 and 1.0 on WebKB, beside the paper's figures.

It includes the curves of its Fig. 5 and 6, and a test of each crawler against breadth-first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from apps.engine.evaluation.precision_recall import LEVELS
from apps.papers.tables.hcla_levels import HARVEST, level_values
from apps.papers.tables.hcla_lines import (
    TENTHS,
    Against,
    CategoryLine,
    UniversityMean,
    average_course,
    crawled,
    lines_of,
)
from apps.papers.tables.hcla_protocol import CRAWLERS, QUERIES, ProtocolCrawler
from apps.papers.tables.observed import Observed, observed_in_table
from apps.papers.tables.options import Options, Report
from apps.papers.tables.parted_web import PartedWeb

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
class Table3:
    """The lines of all categories, with the numbers of relevant and of reachable pages.

    `average` is the course of the harvest rate over all categories, by crawler.
    """

    table: str
    web: str
    lines: tuple[CategoryLine, ...]
    relevant: Mapping[str, tuple[int, int]]
    average: Mapping[str, tuple[UniversityMean, ...]]

    def as_dict(self) -> dict[str, Any]:
        """All figures, and the paper's under `published`."""
        published = {
            crawler: {"precision": precision, "f1": f1}
            for crawler, (precision, f1) in PUBLISHED.items()
        }
        return {
            "table": self.table,
            "web": self.web,
            "levels": LEVELS,
            "published": {PUBLISHED_CATEGORY: published},
            "average_harvest": {
                crawler: [asdict(figure) for figure in course]
                for crawler, course in self.average.items()
            },
            "categories": {
                category: {
                    "relevant": relevant,
                    "reachable": reachable,
                    "crawlers": {
                        line.crawler: asdict(line)
                        for line in self.lines
                        if line.category == category
                    },
                }
                for category, (relevant, reachable) in self.relevant.items()
            },
        }

    def text(self) -> str:
        titles = {line.crawler: line.title for line in self.lines}
        average = {titles[crawler]: course for crawler, course in self.average.items()}
        rows = _curves(
            "Harvest rate after tenths of the crawls ± .95 interval, all categories (Fig. 5)",
            average,
        )
        return "\n\n".join([*(self._category(name) for name in self.relevant), "\n".join(rows)])

    def observed(self) -> Observed:
        """Every crawl; precision and F1 are those of the published category alone."""
        cases = dict.fromkeys(
            f"{line.category} at {one.university}" for line in self.lines for one in line.crawls
        )
        return observed_in_table(
            "crawl",
            [*cases],
            {
                (f"{line.category} at {one.university}", line.title, quantity): value
                for line in self.lines
                for one in line.crawls
                for quantity, value in (
                    (HARVEST.id, one.harvest),
                    *level_values(one.precision if line.category == PUBLISHED_CATEGORY else ()),
                )
            },
        )

    def _category(self, category: str) -> str:
        lines = [line for line in self.lines if line.category == category]
        relevant, reachable = self.relevant[category]
        places = ", ".join(f"{one.relevant} at {one.university}" for one in lines[0].crawls)
        head = (
            f"{category}: {relevant} relevant pages ({places}; Table 1), {reachable} within reach"
        )
        rows = [_HEAD, _SUBHEAD]
        for line in lines:
            rows += _rows(line, category)
        curves = _curves(
            "Precision at recall ± .95 interval (Fig. 6)",
            {each.title: each.curve for each in lines},
        )
        return "\n".join([head, "", *rows, "", *_tests(lines), *curves])


def reproduce(web: PartedWeb, options: Options, report: Report) -> Table3:
    """Crawls every university with every crawler for every selected category."""
    return tabulate("hcla-table-3", web, options, report, CRAWLERS, tuple(QUERIES))


def tabulate(
    table: str,
    web: PartedWeb,
    options: Options,
    report: Report,
    crawlers: Sequence[ProtocolCrawler],
    categories: Sequence[str],
) -> Table3:
    """Tabulates these crawlers and categories, or those selected in the options."""
    categories = options.categories or categories
    crawlers = [c for c in crawlers if not options.crawlers or c.id in options.crawlers]
    runs = crawled(web, options, report, crawlers, categories)
    lines = tuple(line for k in categories for line in lines_of(runs, crawlers, k))
    first = crawlers[0].id
    return Table3(
        table,
        options.web_name,
        lines,
        {
            k: (
                sum(run.relevant for run in runs[k, first]),
                sum(run.reachable for run in runs[k, first]),
            )
            for k in categories
        },
        {c.id: average_course([line for line in lines if line.crawler == c.id]) for c in crawlers},
    )


_HEAD = f"{'':40}{'precision at recall':30}{'interpolated':20}{'F1':20}harvest"
_SUBHEAD = f"{'':40}{'.1':10}{'.5':10}{'1.0':10}{'.1':6}{'.5':6}{'1.0':8}{'.1':6}{'.5':6}1.0"


def _rows(line: CategoryLine, category: str) -> list[str]:
    levels = line.over_all
    rows = [
        f"{line.title:40}"
        + "".join(f"{_with_interval(level.precision):10}" for level in levels)
        + "".join(f"{level.interpolated.mean:<6.2f}" for level in levels)
        + "  "
        + "".join(f"{level.f1.mean:<6.2f}" for level in levels)
        + "  "
        + _with_interval(line.harvest)
    ]
    if category == PUBLISHED_CATEGORY and line.crawler in PUBLISHED:
        precision, f1 = PUBLISHED[line.crawler]
        rows.append(
            f"{'  in the paper':40}"
            + "".join(f"{p:<10.2f}" for p in precision)
            + " " * 20
            + "".join(f"{f:<6.2f}" for f in f1)
        )
    return rows


def _tests(lines: Sequence[CategoryLine]) -> Iterator[str]:
    """Tests of the crawlers against the first, in precision at recall .5 and in harvest."""
    tested = [line for line in lines if line.harvest_against and line.precision_against]
    if not tested:
        return
    yield f"Against {lines[0].title}, paired and two-tailed, p corrected by Holm"
    yield f"{'':40}{'precision at .5':22}harvest"
    for line in tested:
        yield (
            f"{line.title:40}{_difference(line.precision_against):22}"
            f"{_difference(line.harvest_against)}"
        )
    yield ""


def _difference(against: Against | None) -> str:
    if against is None:
        return "–"
    return f"{against.difference:+.3f}, p " + ("–" if against.p is None else f"{against.p:.3f}")


def _curves(title: str, curves: Mapping[str, Sequence[UniversityMean]]) -> list[str]:
    head = f"{'':40}" + "".join(f"{tenth:<10.1f}" for tenth in TENTHS)
    return [
        title,
        head,
        *(
            f"{name:40}" + "".join(f"{_with_interval(figure):10}" for figure in curve)
            for name, curve in curves.items()
        ),
    ]


def _with_interval(figure: UniversityMean) -> str:
    if figure.interval is None:
        return f"{figure.mean:.2f}"
    return f"{figure.mean:.2f}±{figure.interval:.2f}"
