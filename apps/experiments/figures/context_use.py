"""Whether anchors or contexts decide on links, for the crawler that chooses between them."""

from __future__ import annotations

import numpy as np

from apps.engine.intelligence.strategies.selective_link_context import SelectiveLinkContext
from apps.experiments.cells.result import finite
from apps.experiments.design.schema import CrawlerDesign
from apps.experiments.figures.asked import Asked
from apps.experiments.figures.crawler_views import crawler_of, crawler_views
from apps.experiments.figures.paper_figure import Offer, PaperFigure, View
from apps.figures.axis import Axis
from apps.figures.figure import Figure
from apps.figures.quantities import count
from apps.figures.traces import Bars

USES = SelectiveLinkContext.curves


class ContextUse(PaperFigure):
    """How many new links got their score by their anchor text, by their context, or by neither,
    topic by topic.

    Links to pages fetched or queued are left out. Many links by their anchor alone mean that
    contexts, which cost more, are seldom needed.
    """

    id = "context_use"
    title = "Use of anchor and context"
    papers = {"SLC": "9"}
    published = "On each of ten topics a good part of the links is judged by the anchor text alone."
    by_crawler = False
    offer = Offer("Add Selective link context", (CrawlerDesign(strategy=SelectiveLinkContext.id),))

    def views(self, asked: Asked) -> tuple[View, ...]:
        return crawler_views(asked, lambda crawler: crawler.strategy == SelectiveLinkContext.id)

    def draw(self, asked: Asked, view: View) -> Figure:
        index = crawler_of(view)
        columns = (
            {}
            if index is None
            else {name: asked.values(name)[[*asked.topics], index] for name in USES}
        )
        bars = tuple(
            Bars(
                spec.label,
                spec.colour,
                [*range(len(asked.topics))],
                [None if np.isnan(n) else float(n) for n in columns[name]],
            )
            for name, spec in USES.items()
            if columns and finite(columns[name]).size
        )
        names = tuple(asked.outcomes.topics[topic].name for topic in asked.topics)
        numbers = tuple(str(number) for number in range(1, len(names) + 1))
        return Figure(
            Axis("topic", "", names=names, ticks=numbers),
            Axis("new links", "count"),
            bars,
            reading=_reading(asked, view, bars),
            empty="Needs Selective link context",
            grouped=False,
        )


def _reading(asked: Asked, view: View, bars: tuple[Bars, ...]) -> str:
    totals = ", ".join(f"{bar.label} {count(sum(n or 0 for n in bar.y))}" for bar in bars)
    return f"{view.title} at {count(asked.pages)} pages, new links of {asked.over}: {totals}."
