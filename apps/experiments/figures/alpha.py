"""How adaptive crawlers weigh topicality against status as the crawl goes on."""

from __future__ import annotations

import numpy as np

from apps.experiments.design.schema import CrawlerDesign
from apps.experiments.figures.asked import Asked
from apps.experiments.figures.mean_curves import course_figure
from apps.experiments.figures.paper_figure import Offer, PaperFigure, View
from apps.figures.axis import Axis
from apps.figures.figure import Figure


class Alpha(PaperFigure):
    """α of adaptive crawlers over the pages fetched: the mean over topics, with standard errors.

    At 1 only topicality counts, at 0 only status. α falls while pages are more topical than δ and
    rises while they are less; a curve at 1 means that δ is never reached.
    """

    id = "alpha"
    title = "α over topics"
    papers = {"SL": "10"}
    published = (
        "From .5 α falls at first with δ = .6 and .7 and rises with .8 and .9; later it settles, "
        "except with δ = .9, where it stays close to 1."
    )
    by_crawler = False
    offer = Offer(
        "Add Adaptive utility, 4 variants",
        (CrawlerDesign(strategy="adaptive_utility", parameters={"delta": [0.6, 0.7, 0.8, 0.9]}),),
    )

    def draw(self, asked: Asked, view: View) -> Figure:
        has_alpha = np.isfinite(asked.outcomes.curves("alpha")).any(axis=(0, 2))
        crawlers = tuple(np.flatnonzero(has_alpha).tolist())
        return course_figure(
            asked.with_marks_for(crawlers),
            "alpha",
            "α",
            Axis("α", "score"),
            "Needs a crawler that adapts α, such as Adaptive utility",
            crawlers,
        )
