"""How many sites a crawl has pages of, and how many of them editors list."""

from __future__ import annotations

from apps.engine.evaluation.diversity import Diversity
from apps.engine.evaluation.measure import Measure
from apps.engine.evaluation.reliability import Reliability
from apps.experiments.figures.asked import Asked
from apps.experiments.figures.mean_curves import course_figure
from apps.experiments.figures.paper_figure import PaperFigure, View
from apps.figures.axis import Axis
from apps.figures.figure import Figure

SITES: tuple[type[Measure], ...] = (Diversity, Reliability)


class DiversityAndReliability(PaperFigure):
    """How many sites the pages are from, and which share of those sites a directory lists.

    A site is a registered domain. Many sites alone are no merit: a crawl that wanders off its topic
    has the most.
    """

    id = "diversity_and_reliability"
    title = "Diversity and reliability"
    papers = {"SL": "13"}
    published = (
        "Adaptive utility and In-links both reach more than 1,100 sites in 10,000 pages; of the "
        "sites of Adaptive utility 70 to 80 % are listed, of In-links fewer."
    )

    def views(self, asked: Asked) -> tuple[View, ...]:
        return tuple(View(each.id, each.title) for each in SITES)

    def draw(self, asked: Asked, view: View) -> Figure:
        if view.id == Diversity.id:
            return course_figure(
                asked,
                view.id,
                view.title,
                Axis("sites", Diversity.unit),
                "No page has been fetched",
            )
        return course_figure(
            asked,
            view.id,
            view.title,
            Axis("listed sites", Reliability.unit),
            "Needs topics with a directory or a list of sites",
        )
