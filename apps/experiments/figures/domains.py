"""Which crawler is best in which domain."""

from __future__ import annotations

from apps.engine.evaluation import BY_ID
from apps.experiments.figures.asked import Asked
from apps.experiments.figures.group_dots import group_figure
from apps.experiments.figures.paper_figure import PaperFigure, View
from apps.experiments.figures.trajectories import measure_views
from apps.experiments.results.choice import ComparisonPlan
from apps.experiments.results.groups import by_domain
from apps.experiments.results.paired_tests import Method
from apps.figures.figure import Figure


class Domains(PaperFigure):
    """A measure by domain of the topics: the mean of each crawler, with bars of one standard error.

    The domain of a topic is the top category of its directory, or the first part of a name such as
    Science/Astronomy. LC leaves out domains of fewer than ten topics; here all are drawn, and the
    bars show how little few topics prove.
    """

    id = "domains"
    title = "Domains"
    papers = {"LC": "16"}
    published = (
        "Harvest rate differs little between the crawlers within a domain. In Business Tag Tree "
        "Combo finds the most targets (p < .05 against Full Page)."
    )

    def views(self, asked: Asked) -> tuple[View, ...]:
        return measure_views(asked)

    def draw(self, asked: Asked, view: View) -> Figure:
        results, measure = asked.outcomes, BY_ID[view.id]
        choice = ComparisonPlan(
            measure, asked.pages, results.baseline, Method.TWO_TAILED, results.design.pages
        )
        return group_figure(asked, measure, by_domain(results, choice), "domain of the topic")
