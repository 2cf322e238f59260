"""Where the fetched pages lie between topicality and status."""

from __future__ import annotations

from math import log1p

import numpy as np
from django.utils.text import capfirst

from apps.engine.evaluation.status_map import StatusCounts as Map
from apps.engine.evaluation.status_map import status_map
from apps.engine.evaluation.status_sample import status_sample
from apps.engine.model import Floats
from apps.experiments.figures.asked import Asked
from apps.experiments.figures.crawler_views import crawler_of, crawler_views
from apps.experiments.figures.page_scores import scored_by, scores
from apps.experiments.figures.paper_figure import PaperFigure, View
from apps.figures.axis import Axis
from apps.figures.figure import Data, Figure, FigureTable
from apps.figures.quantities import count, score, share
from apps.figures.traces import Cells

BINS = 10
DARKEST = 5


class StatusMap(PaperFigure):
    """How many pages have which score of the judge and which status, over all topics; the darker a
    cell, the more, by logarithm.

    Status is ln(1 + in-links). A crawler that trusts topicality alone has its pages at the right,
    one that trusts status alone at the top. Without a judge the critic rates. The pages are
    those of SL's sample, 30 random ones of every 500 that a crawl has fetched.
    """

    id = "status_map"
    title = "Map of topicality and status"
    papers = {"SL": "14"}
    published = (
        "With α = 1 pages gather at the lower right, with α = 0 at the upper left; adaptive "
        "crawls move them to the upper right."
    )
    by_crawler = False

    def views(self, asked: Asked) -> tuple[View, ...]:
        return crawler_views(asked)

    def draw(self, asked: Asked, view: View) -> Figure:
        by, rated, logs = _pages(asked, crawler_of(view))
        density = status_map(rated.tolist(), logs.tolist(), BINS)
        filled = np.argwhere(density.counts)
        return Figure(
            Axis(by, "score"),
            Axis("ln(1 + in-links)", "log", end=float(density.status[-1])),
            (_cells(density),) if len(rated) else (),
            reading=_reading(asked, view, by, density),
            empty="No page of the sample with both a score and a known in-link count",
            grouped=False,
            table=FigureTable(
                (capfirst(by), "ln(1 + in-links)", "Pages"),
                tuple(
                    (
                        _span(density.topicality, i),
                        _span(density.status, j),
                        count(density.counts[i, j]),
                    )
                    for i, j in filled
                ),
            ),
            data=Data(
                (
                    "crawler",
                    "P(c|v) from",
                    "P(c|v) to",
                    "ln(1 + in-links) from",
                    "ln(1 + in-links) to",
                    "pages",
                ),
                tuple(
                    (
                        view.title,
                        float(density.topicality[i]),
                        float(density.topicality[i + 1]),
                        float(density.status[j]),
                        float(density.status[j + 1]),
                        int(density.counts[i, j]),
                    )
                    for i, j in filled
                ),
            ),
        )


def _pages(asked: Asked, index: int | None) -> tuple[str, Floats, Floats]:
    """The judge, and the scores and the status of the sampled pages that have both."""
    cells = [] if index is None else [*asked.outcomes.of_crawler(index)]
    by, both = scored_by(cells), [np.empty((2, 0))]
    for cell in cells:
        inlinks = cell.result.pages.numbers["inlinks"][: asked.pages].astype(np.float64)
        rated = scores(cell, by)[: asked.pages]
        sampled = np.zeros(len(rated), np.bool_)
        sampled[np.array(status_sample(len(rated)), np.int64) - 1] = True
        usable = sampled & (inlinks >= 0) & np.isfinite(rated)
        both.append(np.stack([rated[usable], np.log1p(inlinks[usable])]))
    return by, *np.concatenate(both, axis=1)


def _cells(density: Map) -> Cells:
    x, y = ((edges[1:] + edges[:-1]) / 2 for edges in (density.topicality, density.status))
    cells = [(i, j) for i in range(BINS) for j in range(BINS)]
    most = log1p(int(density.counts.max()))
    return Cells(
        "pages",
        "count-3",
        [float(x[i]) for i, _ in cells],
        [float(y[j]) for _, j in cells],
        shades=[_shade(int(density.counts[cell]), most) for cell in cells],
        words=[f"{count(int(density.counts[cell]))} pages" for cell in cells],
        about=[
            f"P(c|v) {_span(density.topicality, i)}, ln(1 + in-links) {_span(density.status, j)}"
            for i, j in cells
        ],
        width=float(x[1] - x[0]),
        height=float(y[1] - y[0]),
        inside=False,
    )


def _shade(pages: int, most: float) -> int:
    """0 for none, then five steps by the logarithm, the darkest for as many as anywhere."""
    return 0 if not pages else max(1, round(DARKEST * log1p(pages) / most))


def _span(edges: Floats, i: int) -> str:
    return f"{score(float(edges[i]))}–{score(float(edges[i + 1]))}"


def _reading(asked: Asked, view: View, by: str, density: Map) -> str:
    total = int(density.counts.sum())
    dense = density.densest().astype(bool)
    part = share(float(density.counts[dense].sum()) / max(total, 1))
    return (
        f"{view.title}, {count(total)} sampled pages of {asked.over} by the {by} and status: "
        f"{count(int(dense.sum()))} of {BINS * BINS} cells hold {part}."
    )
