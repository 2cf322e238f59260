"""Which crawler is best in which domain."""

from __future__ import annotations

from apps.experiments.figures.group_dots import GroupFigure
from apps.experiments.results.choice import ComparisonPlan
from apps.experiments.results.groups import Grouping, by_domain
from apps.experiments.results.outcomes import Outcomes


class Domains(GroupFigure):
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
    axis = "domain of the topic"

    def groups(self, outcomes: Outcomes, choice: ComparisonPlan) -> Grouping:
        return by_domain(outcomes, choice)
