"""Means of groups of topics beside each other, a mark for each crawler."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from apps.engine.evaluation import BY_ID
from apps.engine.evaluation.measure import Measure
from apps.experiments.figures.asked import Asked
from apps.experiments.figures.paper_figure import PaperFigure, View
from apps.experiments.figures.trajectories import measure_views
from apps.experiments.results.choice import ComparisonPlan
from apps.experiments.results.groups import Grouping
from apps.experiments.results.outcomes import Outcomes
from apps.experiments.results.paired_tests import Method
from apps.figures.axis import Axis, axis_of
from apps.figures.figure import Data, Figure
from apps.figures.traces import Dots

WIDTH = 0.5
"""What part of the room of a group its marks take."""


class GroupFigure(PaperFigure):
    """A figure of a measure by groups of topics, which `groups` makes; `axis` names them."""

    axis: ClassVar[str]

    @abstractmethod
    def groups(self, outcomes: Outcomes, choice: ComparisonPlan) -> Grouping:
        """The topics in groups."""

    def views(self, asked: Asked) -> tuple[View, ...]:
        return measure_views(asked)

    def draw(self, asked: Asked, view: View) -> Figure:
        results, measure = asked.outcomes, BY_ID[view.id]
        choice = ComparisonPlan(
            measure, asked.pages, results.baseline, Method.TWO_TAILED, results.design.pages
        )
        return group_figure(asked, measure, self.groups(results, choice), self.axis)


def group_figure(asked: Asked, measure: type[Measure], groups: Grouping, title: str) -> Figure:
    """The crawlers drawn in colour, group by group; the file has all crawlers."""
    dots = tuple(_dots(asked, groups))
    axis = axis_of(measure)
    names = tuple(group.name.replace("_", " ") for group in groups.groups)
    return Figure(
        Axis(title, "", names=names),
        axis,
        dots,
        reading=_reading(measure, dots, axis, names),
        empty=groups.note.removesuffix("."),
        data=_data(asked, groups),
        fitted=True,
        grouped=False,
    )


def _dots(asked: Asked, groups: Grouping) -> Iterator[Dots]:
    shown = [index for index in asked.drawn if index in asked.finished] if groups.groups else []
    for turn, index in enumerate(shown):
        means = [group.values[index] for group in groups.groups]
        mark = asked.marks[index]
        yield Dots(
            asked.labels[index],
            mark.colour,
            [*range(len(means))],
            [each.mean for each in means],
            errors=[each.error for each in means],
            mark=mark.symbol,
            shift=WIDTH * ((turn + 0.5) / len(shown) - 0.5),
        )


def _reading(
    measure: type[Measure], dots: tuple[Dots, ...], axis: Axis, names: tuple[str, ...]
) -> str:
    if not dots:
        return ""
    groups = "; ".join(
        f"{name}: " + ", ".join(f"{each.label} {each.texts(axis)[index]}" for each in dots)
        for index, name in enumerate(names)
    )
    return f"{measure.title}, mean ± standard error. {groups}."


def _data(asked: Asked, groups: Grouping) -> Data:
    return Data(
        ("group", "crawler", "mean", "standard error", "topics"),
        tuple(
            (group.name, asked.labels[index], value.mean, value.error, value.n)
            for group in groups.groups
            for index, value in enumerate(group.values)
        ),
    )
