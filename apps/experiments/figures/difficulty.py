"""Which crawler is best on hard topics, which on easy ones."""

from __future__ import annotations

from apps.experiments.figures.group_dots import GroupFigure
from apps.experiments.results.choice import ComparisonPlan
from apps.experiments.results.groups import Grouping, by_difficulty
from apps.experiments.results.outcomes import Outcomes


class Difficulty(GroupFigure):
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
    axis = "topics by difficulty"

    def groups(self, outcomes: Outcomes, choice: ComparisonPlan) -> Grouping:
        return by_difficulty(outcomes, choice)
