"""When in a crawl a difference from the baseline shows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from apps.engine.evaluation import BY_ID
from apps.experiments.figures.asked import Asked
from apps.experiments.figures.mean_curves import curve_table
from apps.experiments.figures.paper_figure import PaperFigure, View
from apps.experiments.figures.trajectories import measure_views
from apps.experiments.results.choice import ComparisonPlan
from apps.experiments.results.nullable import nullable
from apps.experiments.results.over_the_crawl import PCourse, p_over_the_crawl
from apps.experiments.results.paired_tests import ENOUGH_TOPICS, LEVEL, Method
from apps.figures.axis import Axis, pages_fetched
from apps.figures.figure import Data, Figure
from apps.figures.quantities import count
from apps.figures.traces import Curve

P = Axis("p after Holm", "probability")


class POverTheCrawl(PaperFigure):
    """The p-value of each crawler against the baseline over the pages fetched: one-tailed, of
    values paired by topic, after Holm over the crawlers.

    Below the dashed line at 0.05 the crawler is shown to be better than the baseline. A curve that
    dips below it for some pages only is no proof: look at the moment named before the start. LC
    prints its p-values without a correction; the file has both.
    """

    id = "p_over_the_crawl"
    title = "p over the crawl"
    papers = {"LC": "7, 10"}
    published = (
        "Harvest rate: every Text Window Combo beats Full Page (p < .1) for most of the crawl. "
        "Target recall: Tag Tree Combo does (p < .05), Text Window Combo (40) only now and then."
    )

    def views(self, asked: Asked) -> tuple[View, ...]:
        return measure_views(asked)

    def draw(self, asked: Asked, view: View) -> Figure:
        outcomes = asked.outcomes
        measure = BY_ID[view.id]
        choice = ComparisonPlan(
            measure, asked.pages, outcomes.baseline, Method.ONE_TAILED, outcomes.design.pages
        )
        courses = p_over_the_crawl(outcomes, choice)
        end, curves = int(outcomes.grid[-1]), _curves(asked, courses)
        line = Curve(f"{LEVEL:g}", "ink-3", (0, end), (LEVEL, LEVEL), "dashed", named=False)
        return Figure(
            pages_fetched(end),
            P,
            (line, *curves) if curves else (),
            reading=_reading(asked, view, courses),
            empty=_empty(asked),
            table=curve_table(curves, P),
            data=_data(courses, outcomes.grid.tolist()),
            labelled=True,
        )


def _curves(asked: Asked, courses: Sequence[PCourse]) -> tuple[Curve, ...]:
    """The curves in drawing order: grey ones first, so that they lie below."""
    curves = []
    for course in sorted(courses, key=lambda course: bool(asked.marks[course.index].symbol)):
        mark = asked.marks[course.index]
        if np.isfinite(course.p).any():
            curves.append(
                Curve(
                    course.label,
                    mark.colour,
                    asked.outcomes.grid.tolist(),
                    nullable(course.p),
                    mark.style,
                    mark=mark.symbol,
                )
            )
    return tuple(curves)


def _empty(asked: Asked) -> str:
    if not asked.outcomes.ended:
        return "Tested once the last cell has ended"
    if len(asked.outcomes.crawlers) < 2:
        return "Needs a second crawler"
    return f"Needs {ENOUGH_TOPICS} topics that baseline and crawler have a value in"


def _reading(asked: Asked, view: View, courses: Sequence[PCourse]) -> str:
    stays = [
        f"{course.label} stays below {LEVEL:g} from page {count(course.for_good_from)} on"
        for course in courses
        if course.for_good_from is not None
    ]
    rest = len(courses) - len(stays)
    if rest:
        none = (
            "none of the other crawlers does"
            if stays
            else (f"no crawler stays below {LEVEL:g} to the end")
        )
        stays.append(none)
    return (
        f"{view.title}, one-tailed p against {asked.labels[asked.baseline]} after "
        f"Holm: {', '.join(stays)}."
    )


def _data(courses: Sequence[PCourse], grid: Sequence[int]) -> Data:
    return Data(
        ("crawler", "pages fetched", "p", "p after Holm"),
        tuple(
            (course.label, pages, raw, p)
            for course in courses
            for pages, raw, p in zip(grid, nullable(course.raw), nullable(course.p), strict=True)
        ),
    )
