"""Figures of what is measured over the pages fetched."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from apps.experiments.figures.asked import Asked
from apps.experiments.figures.paper_figure import PaperFigure, View
from apps.experiments.studies.study import PageStudyFigures
from apps.figures.axis import Axis
from apps.figures.figure import Figure


class StudyFigure(PaperFigure):
    """A figure of the study of an experiment's pages; until there is one it shows why not.

    `axes` are those without values.
    """

    by_crawler = False
    axes: ClassVar[tuple[Axis, Axis]]

    def draw(self, asked: Asked, view: View) -> Figure:
        study = asked.studied.study
        if study is None:
            return Figure(*self.axes, (), empty=asked.studied.words)
        return self.of_study(study, view)

    @abstractmethod
    def of_study(self, study: PageStudyFigures, view: View) -> Figure:
        """The figure in one of its views."""
