"""Precision over recall, averaged over topics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from apps.engine.evaluation.precision_recall import Level, at_levels
from apps.engine.evaluation.virtual_web_recall import VirtualWebRecall
from apps.experiments.figures.asked import Asked
from apps.experiments.figures.paper_figure import PaperFigure, View
from apps.experiments.results.outcomes import Outcome
from apps.figures.axis import Axis
from apps.figures.figure import Figure
from apps.figures.quantities import share
from apps.figures.traces import Curve

LEVELS = tuple(tenth / 10 for tenth in range(1, 11))
AS_REACHED = View("as_reached", "As each recall is reached")
INTERPOLATED = View("interpolated", "Best from there on")


class PrecisionRecall(PaperFigure):
    """The share of relevant pages among those fetched when a tenth, two tenths … of the web’s are
    found: the mean over topics, with bars of one standard error.

    It needs all relevant pages of the web, so its labels. A recall that a crawl never reaches
    counts with its precision at the end. Best from there on: interpolated, as HCLA seems to print
    it.
    """

    id = "precision_recall"
    title = "Precision–recall, averaged"
    papers = {"HCLA": "6, 9"}
    published = (
        "HCLA and SS2 are ahead at recall .5 and 1 in category student of WebKB; in Cora HCLA is "
        "ahead of PLSI+PHITS at high recall. The paper’s bars are .95 intervals, three times the "
        "standard errors drawn here where there are four universities."
    )

    def views(self, asked: Asked) -> tuple[View, ...]:
        return AS_REACHED, INTERPOLATED

    def draw(self, asked: Asked, view: View) -> Figure:
        curves = tuple(_curves(asked, view))
        axis = Axis("precision", "share")
        return Figure(
            Axis("recall of relevant pages", "share"),
            axis,
            curves,
            reading=_reading(asked, curves, axis),
            labelled=True,
            empty="Needs a recorded web whose pages carry the topics’ labels",
        )


def _curves(asked: Asked, view: View) -> Iterator[Curve]:
    """The crawlers in grey first, so that they lie below."""
    for index in sorted(asked.finished, key=lambda index: bool(asked.marks[index].symbol)):
        means = asked.over_topics(index, lambda cell: _precisions(cell, view))
        if means:
            mark = asked.marks[index]
            yield Curve(
                asked.labels[index],
                mark.colour,
                LEVELS,
                [each.mean for each in means],
                mark.style,
                mark=mark.symbol,
                errors=[each.error for each in means],
                bars=range(len(LEVELS)) if mark.symbol else (),
            )


def _precisions(cell: Outcome, view: View) -> list[float] | None:
    levels = levels_of(cell)
    if not levels:
        return None
    return [level.precision if view is AS_REACHED else level.interpolated for level in levels]


def levels_of(cell: Outcome) -> tuple[Level, ...]:
    """A cell at each level of recall; empty if the web has no labels for its topic."""
    result = cell.result
    recall = result.values.get(VirtualWebRecall.id)
    if recall is None or not len(recall) or not np.isfinite(recall[-1]):
        return ()
    relevant = result.pages.flags["label"] == 1
    fetched = int(relevant[: int(result.at[-1])].sum())
    # Without a relevant page the total is unknown, and without meaning: every precision is 0.
    total = round(fetched / float(recall[-1])) if fetched else 1
    return at_levels(relevant.tolist(), total, LEVELS)


def _reading(asked: Asked, curves: Sequence[Curve], axis: Axis) -> str:
    if not curves:
        return ""
    middle = LEVELS.index(0.5)
    precisions = ", ".join(f"{curve.label} {curve.texts(axis)[middle]}" for curve in curves)
    return f"Precision at recall {share(0.5)}, mean of {asked.over} ± standard error: {precisions}."
