"""Every measure over the pages fetched, crawler by crawler."""

from __future__ import annotations

import numpy as np

from apps.engine.evaluation import BY_ID, MEASURES
from apps.engine.evaluation.measure import Measure
from apps.experiments.figures.asked import Asked
from apps.experiments.figures.mean_curves import INTERVAL, STANDARD_ERROR, course_figure
from apps.experiments.figures.paper_figure import PaperFigure, View
from apps.figures.axis import axis_of
from apps.figures.figure import Figure

INTERVALS = "intervals"


class Trajectories(PaperFigure):
    """A measure over the pages fetched: the mean over topics, with bars of one standard error.

    Each measure that any crawler has is one view; a last one has that by which the crawlers are
    compared with .95 intervals by Student’s t, as HCLA draws them. After a crawl’s end recall and
    counts stay as they were; its rates and means no longer take part.
    """

    id = "trajectories"
    title = "Trajectories"
    papers = {"LC": "4–9, 13, 15", "SLC": "7–8", "SL": "4–5, 8–9, 11–12", "HCLA": "5"}
    published = (
        "In LC Text Window Combo harvests more than Full Page, and Tag Tree Combo finds more "
        "targets for most of the crawl; in SLC Selective link context leads in both; in HCLA HCLA "
        "leads late, by .95 intervals; in SL a larger α gives more topicality and less status."
    )

    def views(self, asked: Asked) -> tuple[View, ...]:
        chosen = BY_ID[asked.outcomes.design.measure]
        return (*measure_views(asked), View(INTERVALS, f"{chosen.title}, .95 intervals"))

    def draw(self, asked: Asked, view: View) -> Figure:
        by_interval = view.id == INTERVALS
        measure = BY_ID[asked.outcomes.design.measure if by_interval else view.id]
        return course_figure(
            asked,
            measure.id,
            measure.title,
            axis_of(measure),
            f"No crawler of this experiment has {measure.phrase()}",
            spread=INTERVAL if by_interval else STANDARD_ERROR,
        )


def measure_views(asked: Asked) -> tuple[View, ...]:
    """A view for each measure that any crawler has, the one that the crawlers are compared
    by first."""
    chosen = BY_ID[asked.outcomes.design.measure]
    others = [each for each in MEASURES if each is not chosen and _is_measured(asked, each)]
    return tuple(View(each.id, each.title) for each in (chosen, *others))


def _is_measured(asked: Asked, measure: type[Measure]) -> bool:
    return bool(np.isfinite(asked.outcomes.curves(measure.id)).any())
