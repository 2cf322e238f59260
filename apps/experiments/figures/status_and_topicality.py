"""The effect of α and δ on topicality and status."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from apps.engine.evaluation.average_status import AverageStatus, AverageStatusEstimated
from apps.engine.evaluation.harvest_rate import HarvestRate
from apps.engine.evaluation.harvest_rate_true import HarvestRateTrue
from apps.engine.evaluation.measure import Measure
from apps.experiments.design.schema import CrawlerDesign
from apps.experiments.figures.asked import Asked, means_of
from apps.experiments.figures.paper_figure import Offer, PaperFigure, View
from apps.figures.axis import Axis, axis_of
from apps.figures.figure import Figure
from apps.figures.quantities import count
from apps.figures.traces import Dots


@dataclass(frozen=True, slots=True)
class Lever:
    """A parameter of a strategy that shifts between topicality and status."""

    strategy: str
    parameter: str
    symbol: str


LEVERS = (Lever("utility", "alpha", "α"), Lever("adaptive_utility", "delta", "δ"))
HARVEST, STATUS = (
    View("harvest_rate", "Harvest rate by α and δ"),
    View("average_status", "Average status by α and δ"),
)
COLOURS: Mapping[type[Measure], str] = {
    HarvestRate: "harvest",
    HarvestRateTrue: "harvest",
    AverageStatus: "status",
    AverageStatusEstimated: "status",
}


class StatusAndTopicality(PaperFigure):
    """Harvest rate and average status by the α of Utility and the δ of Adaptive utility: means over
    topics with standard errors.

    The larger α, the more a crawl should keep to its topic and the less status it should gain; δ
    sets how topical an adaptive crawl tries to stay. Without a judge the web’s labels
    judge; without in-link counts, status is the model’s estimate.
    """

    id = "status_and_topicality"
    title = "Topicality and status by α and δ"
    papers = {"SL": "4b–6, 8b, 9b"}
    published = (
        "α = .5 has more status than α = 1 (p = .02); δ = .7 and .8 have more status than constant "
        "α = .5 (p < .01) at comparable topicality."
    )
    by_crawler = False
    offer = Offer(
        "Add Utility and Adaptive utility, 9 variants",
        (
            CrawlerDesign(strategy="utility", parameters={"alpha": [0.0, 0.25, 0.5, 0.75, 1.0]}),
            CrawlerDesign(strategy="adaptive_utility", parameters={"delta": [0.6, 0.7, 0.8, 0.9]}),
        ),
    )

    def views(self, asked: Asked) -> tuple[View, ...]:
        return HARVEST, STATUS

    def draw(self, asked: Asked, view: View) -> Figure:
        indexes = _levers(asked)
        measure = _measure(asked, view, indexes)
        means = means_of(asked.values(measure.id)[:, indexes])
        axis = axis_of(measure)
        dots = Dots(
            measure.title,
            COLOURS[measure],
            [*range(len(indexes))],
            [each.mean for each in means],
            errors=[each.error for each in means],
        )
        return Figure(
            Axis(
                "α of Utility, δ of Adaptive utility",
                "",
                names=tuple(_name(asked, index) for index in indexes),
            ),
            axis,
            (dots,) if indexes else (),
            reading=_reading(asked, measure, dots, indexes),
            empty="Needs Utility with α varied, or Adaptive utility with δ varied",
            fitted=True,
            grouped=False,
        )


def _lever(asked: Asked, index: int) -> Lever | None:
    crawler = asked.outcomes.crawlers[index]
    return next((each for each in LEVERS if each.strategy == crawler.strategy), None)


def _levers(asked: Asked) -> list[int]:
    """The crawlers with an α or a δ, by it, if there are at least two; of those alike in it the
    first alone."""
    by_setting: dict[tuple[int, float], int] = {}
    for index in asked.finished:
        lever = _lever(asked, index)
        if lever is not None:
            value = asked.outcomes.crawlers[index].parameters[lever.parameter]
            by_setting.setdefault((LEVERS.index(lever), value), index)
    return [index for _, index in sorted(by_setting.items())] if len(by_setting) > 1 else []


def _name(asked: Asked, index: int) -> str:
    lever = _lever(asked, index)
    assert lever is not None
    return f"{lever.symbol} {asked.outcomes.crawlers[index].parameters[lever.parameter]:g}"


def _measure(asked: Asked, view: View, indexes: Sequence[int]) -> type[Measure]:
    first, second = (
        (HarvestRate, HarvestRateTrue)
        if view is HARVEST
        else (AverageStatus, AverageStatusEstimated)
    )
    return first if np.isfinite(asked.values(first.id)[:, indexes]).any() else second


def _reading(asked: Asked, measure: type[Measure], dots: Dots, indexes: Sequence[int]) -> str:
    values = dots.texts(Axis("", measure.unit))
    each = ", ".join(
        f"{_name(asked, index)} {words}" for index, words in zip(indexes, values, strict=True)
    )
    return (
        f"{measure.title} at {count(asked.pages)} pages, mean of "
        f"{asked.over} ± standard error: {each}."
    )
