"""What α and δ do to topicality and status."""

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
HARVEST, STATUS = (View("harvest_rate", "Harvest rate by α and δ"),
                   View("average_status", "Average status by α and δ"))  # fmt: skip
COLOURS: Mapping[type[Measure], str] = {
    HarvestRate: "harvest", HarvestRateTrue: "harvest",
    AverageStatus: "status", AverageStatusEstimated: "status",
}  # fmt: skip


class StatusAndTopicality(PaperFigure):
    """Harvest rate and average status by the α of Utility and the δ of Adaptive utility: means over
    topics with standard errors.

    The larger α, the more a crawl should keep to its topic and the less status it should gain; δ
    sets how topical an adaptive crawl tries to stay. Where no judge is known the web’s labels
    judge; where no in-link count is known, status is the model’s estimate.
    """

    id = "status_and_topicality"
    title = "Topicality and status by α and δ"
    papers = {"SL": "4b–6, 8b, 9b"}
    published = (
        "α = .5 has more status than α = 1 (p = .02); δ = .7 and .8 have more status than constant "
        "α = .5 (p < .01) at comparable topicality."
    )
    by_crawler = False
    offer = Offer("Add Utility and Adaptive utility, 9 variants", (
        CrawlerDesign(strategy="utility", parameters={"alpha": [0.0, 0.25, 0.5, 0.75, 1.0]}),
        CrawlerDesign(strategy="adaptive_utility", parameters={"delta": [0.6, 0.7, 0.8, 0.9]}),
    ))  # fmt: skip

    def views(self, asked: Asked) -> tuple[View, ...]:
        return HARVEST, STATUS

    def draw(self, asked: Asked, view: View) -> Figure:
        places = _levers(asked)
        measure = _measure(asked, view, places)
        means = means_of(asked.values(measure.id)[:, places])
        axis = axis_of(measure)
        dots = Dots(
            measure.title, COLOURS[measure], [*range(len(places))],
            [each.mean for each in means], errors=[each.error for each in means],
        )
        return Figure(
            Axis("α of Utility, δ of Adaptive utility", "",
                 names=tuple(_name(asked, place) for place in places)),
            axis, (dots,) if places else (), reading=_reading(asked, measure, dots, places),
            empty="Needs Utility with α varied, or Adaptive utility with δ varied",
            fitted=True, grouped=False,
        )  # fmt: skip


def _lever(asked: Asked, place: int) -> Lever | None:
    crawler = asked.outcomes.crawlers[place]
    return next((each for each in LEVERS if each.strategy == crawler.strategy), None)


def _levers(asked: Asked) -> list[int]:
    """The crawlers with an α or a δ, by it, if there are at least two; of those alike in it the
    first alone."""
    found: dict[tuple[int, float], int] = {}
    for place in asked.finished:
        lever = _lever(asked, place)
        if lever is not None:
            value = asked.outcomes.crawlers[place].parameters[lever.parameter]
            found.setdefault((LEVERS.index(lever), value), place)
    return [place for _, place in sorted(found.items())] if len(found) > 1 else []


def _name(asked: Asked, place: int) -> str:
    lever = _lever(asked, place)
    assert lever is not None
    return f"{lever.symbol} {asked.outcomes.crawlers[place].parameters[lever.parameter]:g}"


def _measure(asked: Asked, view: View, places: Sequence[int]) -> type[Measure]:
    first, second = (HarvestRate, HarvestRateTrue) if view is HARVEST else (
        AverageStatus, AverageStatusEstimated)
    return first if np.isfinite(asked.values(first.id)[:, places]).any() else second


def _reading(
    asked: Asked, measure: type[Measure], dots: Dots, places: Sequence[int]
) -> str:
    said = dots.said(Axis("", measure.unit))
    each = ", ".join(f"{_name(asked, place)} {words}"
                     for place, words in zip(places, said, strict=True))  # fmt: skip
    return (f"{measure.title} at {count(asked.pages)} pages, mean of "
            f"{asked.over} ± standard error: {each}.")  # fmt: skip
