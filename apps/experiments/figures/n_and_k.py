"""How often HCLA reorders its frontier, and how many factors it keeps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from apps.engine.evaluation.harvest_rate import HarvestRate
from apps.engine.evaluation.harvest_rate_true import HarvestRateTrue
from apps.engine.evaluation.measure import Measure
from apps.experiments.design.schema import CrawlerDesign
from apps.experiments.figures.asked import Asked
from apps.experiments.figures.mean_curves import course_figure, mean_curves
from apps.experiments.figures.paper_figure import Offer, PaperFigure, View
from apps.figures.axis import axis_of
from apps.figures.figure import Figure

STRATEGY = "hcla"
VARIED: Mapping[str, str] = {"reorders_every": "N", "k": "k"}


class NAndK(PaperFigure):
    """Harvest rate of HCLA with different N, the pages between two reorders, and different k, the
    factors kept.

    Compared are crawlers alike in everything else; of several such groups the largest is drawn.
    Where the web has labels they judge, as in the paper.
    """

    id = "n_and_k"
    title = "N and k"
    papers = {"HCLA": "7, 8"}
    published = (
        "Reordering more often (N = 10 or 25 instead of 50) does not necessarily help; k = 50 is "
        "best, and with k = 80 HCLA gets worse."
    )
    by_crawler = False
    offer = Offer(
        "Add HCLA, 9 variants",
        (
            CrawlerDesign(
                strategy=STRATEGY, parameters={"reorders_every": [10, 25, 50], "k": [30, 50, 80]}
            ),
        ),
    )

    def views(self, asked: Asked) -> tuple[View, ...]:
        return tuple(View(name, f"{symbol} varied") for name, symbol in VARIED.items())

    def draw(self, asked: Asked, view: View) -> Figure:
        group = varied(asked, view.id)
        measure = _measure(asked, group)
        return course_figure(
            asked.with_marks_for(group),
            measure.id,
            f"{measure.title}, {view.title}",
            axis_of(measure),
            f"Needs HCLA with {VARIED[view.id]} varied; this experiment has none",
            group,
        )


def varied(asked: Asked, name: str) -> tuple[int, ...]:
    """The largest group of HCLA's crawlers that differ in this parameter alone; empty if no two
    do."""
    groups: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for index in asked.finished:
        crawler = asked.outcomes.crawlers[index]
        if crawler.strategy == STRATEGY:
            others = {key: value for key, value in crawler.parameters.items() if key != name}
            groups[crawler.parent_policy, *sorted(others.items())].append(index)
    group = max(groups.values(), key=len, default=[])
    return tuple(group) if len(group) > 1 else ()


def _measure(asked: Asked, group: tuple[int, ...]) -> type[Measure]:
    return HarvestRateTrue if mean_curves(asked, HarvestRateTrue.id, group) else HarvestRate
