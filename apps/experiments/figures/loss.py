"""The share of wasted fetches over the crawl."""

from __future__ import annotations

import numpy as np

from apps.engine.evaluation.measure import Measure
from apps.engine.evaluation.soft_harvest import CriticLoss, LossRate
from apps.experiments.figures.asked import Asked
from apps.experiments.figures.mean_curves import course_figure
from apps.experiments.figures.paper_figure import PaperFigure, View
from apps.figures.axis import Axis
from apps.figures.figure import Figure

LOSSES: tuple[type[Measure], ...] = (LossRate, CriticLoss)


class Loss(PaperFigure):
    """The mean of 1 − P(c|v) over the pages fetched so far: the lower, the less was wasted.

    By the judge, who is the same for all crawlers of a topic, or as in AFC by the critic, the
    classifier that guides a crawl. Crawlers with different critics can only be compared by the
    judge.
    """

    id = "loss"
    title = "Loss over the crawl"
    papers = {"AFC": "10, 12"}
    published = (
        "The apprentice loses 30 to 60 % less than the baseline on most topics, up to 90 %; a "
        "recall crawler lies between the two."
    )

    def views(self, asked: Asked) -> tuple[View, ...]:
        """Computed losses first: without a judge there are only the critics'."""
        computed = [each for each in LOSSES if np.isfinite(asked.outcomes.curves(each.id)).any()]
        rest = [each for each in LOSSES if each not in computed]
        return tuple(View(each.id, each.title) for each in (*computed, *rest))

    def draw(self, asked: Asked, view: View) -> Figure:
        by = "P(c|v) by the judge" if view.id == LossRate.id else "P(c|v) by the critic"
        return course_figure(
            asked,
            view.id,
            view.title,
            Axis(f"mean of 1 − {by}", "share"),
            "No judge: the topics have no examples"
            if view.id == LossRate.id
            else "No crawler rates pages by a classifier",
        )
