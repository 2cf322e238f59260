"""How relevant the fetched pages are."""

from __future__ import annotations

import numpy as np
from django.utils.text import capfirst

from apps.engine.evaluation.relevance_distribution import BINS, relevance_distribution
from apps.engine.model import Longs
from apps.experiments.cells.result import finite
from apps.experiments.figures.asked import Asked
from apps.experiments.figures.crawler_views import crawler_of, crawler_views
from apps.experiments.figures.page_scores import UNRATED, scored_by, scores
from apps.experiments.figures.paper_figure import PaperFigure, View
from apps.figures.axis import Axis
from apps.figures.figure import Data, Figure, FigureTable
from apps.figures.quantities import count, share
from apps.figures.traces import Bars


class RelevanceDistribution(PaperFigure):
    """How many pages have which probability by the judge, in tenths, over all topics.

    Two peaks at the ends mean that most pages are clearly on the topic or clearly off it; what lies
    in the left half is what a better crawler could save. Without a judge it is the critic’s, the
    classifier that guides the crawl, as in AFC.
    """

    id = "relevance_distribution"
    title = "Relevance distribution"
    papers = {"AFC": "5"}
    published = (
        "Strongly bimodal for every baseline crawler: most pages are very relevant or not at all, "
        "with harvest rates from .25 to .6."
    )
    by_crawler = False

    def views(self, asked: Asked) -> tuple[View, ...]:
        return crawler_views(asked)

    def draw(self, asked: Asked, view: View) -> Figure:
        by, numbers = _numbers(asked, crawler_of(view))
        total = int(numbers.sum())
        tenths = [f"{i / BINS:.1f}–{(i + 1) / BINS:.1f}" for i in range(BINS)]
        drawn = numbers.tolist() if total else []
        return Figure(
            Axis(by, "score", step=0.2),
            Axis("pages", "count"),
            (Bars("pages", "harvest", [(i + 0.5) / BINS for i in range(len(drawn))], drawn),),
            reading=_reading(asked, view, by, numbers),
            empty=UNRATED,
            table=FigureTable(
                (capfirst(by), "Pages", "Share"),
                tuple(
                    (tenth, count(n), share(n / total))
                    for tenth, n in zip(tenths, drawn, strict=True)
                )
                if total
                else (),
            ),
            data=Data(
                ("crawler", "P(c|v) from", "P(c|v) to", "pages"),
                tuple((view.title, i / BINS, (i + 1) / BINS, n) for i, n in enumerate(drawn)),
            ),
        )


def _numbers(asked: Asked, index: int | None) -> tuple[str, Longs]:
    """The judge, and the number of pages in each tenth."""
    cells = [] if index is None else [*asked.outcomes.of_crawler(index)]
    by = scored_by(cells)
    rated = [finite(scores(cell, by)[: asked.pages]) for cell in cells]
    return by, relevance_distribution(np.concatenate([*rated, np.empty(0)]))[1]


def _reading(asked: Asked, view: View, by: str, numbers: Longs) -> str:
    total = int(numbers.sum())
    ends = int(numbers[0] + numbers[-1])
    half = int(numbers[: BINS // 2].sum())
    return (
        f"{view.title}, {count(total)} pages of {asked.over} by the {by}: {count(ends)} lie in "
        f"the lowest or the highest tenth, {count(half)} below 0.5."
    )
