"""Which crawler is best on hard topics, which on easy ones."""

from __future__ import annotations

from apps.engine.evaluation import BY_ID
from apps.experiments.figures.asked import Asked
from apps.experiments.figures.group_dots import group_figure
from apps.experiments.figures.paper_figure import PaperFigure, View
from apps.experiments.figures.trajectories import measure_views
from apps.experiments.results.choice import ComparisonPlan
from apps.experiments.results.groups import by_difficulty
from apps.experiments.results.paired_tests import Method
from apps.figures.figure import Figure


class Difficulty(PaperFigure):
    """A measure by difficulty of the topics, in four groups of equal size: the mean of each
    crawler, with bars of one standard error.

    The baseline’s target recall measures how hard a topic is; where there are no targets, its
    recall of the web’s relevant pages or its harvest rate. Its own luck counts in that: on the
    hardest topics chance favours the others, on the easiest the baseline.
    """

    id = "difficulty"
    title = "Difficulty of the topic"
    papers = {"LC": "12"}
    published = (
        "On the hardest quarter Tag Tree Combo finds more targets than Text Window Combo (40) "
        "(α = .06); on the easiest it is the other way round, though not significantly."
    )

    def views(self, asked: Asked) -> tuple[View, ...]:
        return measure_views(asked)

    def draw(self, asked: Asked, view: View) -> Figure:
        results, measure = asked.outcomes, BY_ID[view.id]
        choice = ComparisonPlan(
            measure, asked.pages, results.baseline, Method.TWO_TAILED, results.design.pages
        )
        return group_figure(asked, measure, by_difficulty(results, choice), "topics by difficulty")
