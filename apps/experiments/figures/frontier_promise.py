"""The apprentice's scores of the frontier when it takes over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from apps.engine.curve_spec import Style
from apps.engine.intelligence.strategies.apprentice import PROMISES, Apprentice
from apps.engine.model import Floats
from apps.experiments.design.schema import CrawlerDesign
from apps.experiments.figures.asked import Asked
from apps.experiments.figures.page_scores import UNRATED, scored_by, scores
from apps.experiments.figures.paper_figure import Offer, PaperFigure, View
from apps.experiments.models import ExperimentCrawler
from apps.figures.axis import Axis
from apps.figures.figure import Figure
from apps.figures.quantities import count, share
from apps.figures.traces import Bars, Curve

PROMISE = View("promise", "Promise of the frontier")
LOSS = View("loss", "Loss around the switch")
LABELS = ("before: P(c|u)", "after: P(high)")
COLOURS = ("count-3", "harvest")
WINDOW = 50
"""Pages a moving mean is over."""
BEFORE, AFTER = 250, 500
"""Pages drawn before and after the switch, if there are so many."""
EVERY = 5


class FrontierPromise(PaperFigure):
    """How promising the waiting links seem right before and right after the apprentice takes over,
    and what is lost around that page.

    Before, a link promises the P(c|u) of its page, afterwards the apprentice’s P(high); both are
    counted in tenths over all topics. The loss is the mean of 1 − P(c|v) over the last 50 pages, by
    the judge or, if there is none, by the critic; the baseline, which goes on without an
    apprentice, is drawn dashed.
    """

    id = "frontier_promise"
    title = "Frontier before and after"
    papers = {"AFC": "13, 14"}
    published = (
        "The baseline is too optimistic about its frontier; the apprentice gives up a large part "
        "of it. Once it guides, the loss falls at once, on one topic from over 30 % to 6 %."
    )
    by_crawler = False
    offer = Offer(
        "Add Apprentice",
        (
            CrawlerDesign(
                strategy=Apprentice.id, parameters={"first_reorder": 200, "reorders_every": 100}
            ),
        ),
    )

    def views(self, asked: Asked) -> tuple[View, ...]:
        return PROMISE, LOSS

    def draw(self, asked: Asked, view: View) -> Figure:
        index = next(
            (index for index in asked.finished if learns_on_line(asked.outcomes.crawlers[index])),
            None,
        )
        return _promise(asked, index) if view is PROMISE else _loss(asked, index)


def learns_on_line(crawler: ExperimentCrawler) -> bool:
    """Whether a crawler is an apprentice that takes over in mid-crawl."""
    return crawler.strategy == Apprentice.id and crawler.parameters["mode"] == "online"


def _empty(asked: Asked, index: int | None) -> str:
    if index is None:
        return "Needs an apprentice that learns on line"
    first = asked.outcomes.crawlers[index].parameters["first_reorder"]
    return f"The apprentice learns first after {count(first)} pages; the crawls ended before"


def _promise(asked: Asked, index: int | None) -> Figure:
    reports = (
        []
        if index is None
        else [cell.result.report for cell in asked.outcomes.of_crawler(index) if cell.result.report]
    )
    both = [
        sum((np.asarray(report[name]) for report in reports), np.zeros(10)) for name in PROMISES
    ]
    middles = [(i + 0.5) / 10 for i in range(10)]
    bars = tuple(
        Bars(label, colour, middles, tenths.tolist())
        for label, colour, tenths in zip(LABELS, COLOURS, both, strict=True)
    )
    return Figure(
        Axis("promise of a waiting link", "score", step=0.2),
        Axis("waiting links", "count"),
        bars if reports else (),
        reading=_promise_reading(len(reports), *both),
        empty=_empty(asked, index),
    )


def _promise_reading(crawls: int, before: Floats, after: Floats) -> str:
    if not crawls or not before.sum() or not after.sum():
        return ""
    low = [share(float(tenths[:5].sum() / tenths.sum())) for tenths in (before, after)]
    return (
        f"Of the waiting links of {count(crawls)} crawls {low[0]} promised less than 0.5 "
        f"before the apprentice took over and {low[1]} afterwards."
    )


def _loss(asked: Asked, index: int | None) -> Figure:
    switch = 0 if index is None else asked.outcomes.crawlers[index].parameters["first_reorder"]
    span = _span(asked, switch)
    noted = index is not None and any(
        cell.result.report for cell in asked.outcomes.of_crawler(index)
    )
    by = scored_by([] if index is None else asked.outcomes.of_crawler(index))
    curves = tuple(_loss_curves(asked, index, span, by)) if index is not None and noted else ()
    return Figure(
        Axis("pages fetched", "count", end=span[-1] if span else 100, hover="page %{x:,d}"),
        Axis(f"1 − {by}, last {WINDOW} pages", "share"),
        curves,
        reading=_loss_reading(asked, switch, by, curves),
        empty=UNRATED if noted else _empty(asked, index),
        labelled=True,
        fitted=True,
        marks=((switch, "switch"),) if curves else (),
    )


def _span(asked: Asked, switch: int) -> range:
    """The numbers of pages to draw: multiples of five."""
    first, last = max(WINDOW, switch - BEFORE), min(asked.outcomes.design.pages, switch + AFTER)
    return range(-(-first // EVERY) * EVERY, last + 1, EVERY)


def _loss_curves(asked: Asked, index: int, span: Sequence[int], by: str) -> Iterator[Curve]:
    for each in dict.fromkeys((asked.baseline, index)):
        means = asked.over_topics(each, lambda cell: recent_loss(scores(cell, by), span))
        if any(mean.mean is not None for mean in means):
            style: Style = "solid" if each == index else "dashed"
            colour = "harvest" if each == index else "ink-3"
            yield Curve(asked.labels[each], colour, [*span], [mean.mean for mean in means], style)


def recent_loss(rated: Floats, span: Sequence[int]) -> list[float]:
    """The mean of 1 − P(c|v) over the last pages at each number of pages; NaN beyond the crawl's
    end and where nothing is rated."""
    totals = np.concatenate([[0.0], np.cumsum(1 - rated)])
    return [
        float(totals[n] - totals[n - WINDOW]) / WINDOW if n < len(totals) else np.nan for n in span
    ]


def _loss_reading(asked: Asked, switch: int, by: str, curves: Sequence[Curve]) -> str:
    if not curves:
        return ""
    losses = ", ".join(f"{curve.label} {share(curve.y[-1])}" for curve in curves)
    end = count(curves[0].x[-1])
    return (
        f"Loss of the last {WINDOW} pages by the {by}, mean of {asked.over}; the apprentice "
        f"takes over after {count(switch)}. At page {end}: {losses}."
    )
