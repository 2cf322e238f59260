"""The declaration of a figure of the papers, read by an experiment's screen, the API and the
help."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from apps.experiments.design.schema import CrawlerDesign
from apps.experiments.figures.asked import Asked
from apps.figures.figure import Figure

NOTHING_YET = "Drawn once a cell has finished"


@dataclass(frozen=True, slots=True)
class View:
    """One of several ways to draw a figure: a measure, a crawler, or (a) and (b) of a paper."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Offer:
    """Crawlers that an experiment without a figure could add to have it."""

    title: str
    crawlers: tuple[CrawlerDesign, ...]


class PaperFigure(ABC):
    """A figure of one or more papers, drawn from an experiment's outcomes.

    The first paragraph of the class's docstring is its sentence in the help and the API; the rest
    explains how to read it. `papers` maps a paper to the numbers of its figures, `published` is
    what they show there. With `by_crawler` its colours and marks are those of the crawlers.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    papers: ClassVar[Mapping[str, str]]
    published: ClassVar[str]
    by_crawler: ClassVar[bool] = True
    offer: ClassVar[Offer | None] = None

    @property
    def paper(self) -> str:
        """`LC 7, 10 · SL 4–5`."""
        return " · ".join(f"{paper} {numbers}" for paper, numbers in self.papers.items())

    def views(self, asked: Asked) -> tuple[View, ...]:
        """The ways to draw it of these outcomes, at least one; the first is the most telling."""
        return (View("", self.title),)

    def choose_view(self, asked: Asked, view: str) -> View:
        """The view of that id, the first for an unknown one."""
        views = self.views(asked)
        return next((each for each in views if each.id == view), views[0])

    def figure(self, asked: Asked, view: str = "") -> Figure:
        """The figure in one of its views, the first for an unknown one. Without values it has axes
        and names in `empty` what the experiment lacks.

        Raises BadCheckpoint if the file of a cell's result is gone or damaged.
        """
        figure = self.draw(asked, self.choose_view(asked, view))
        if figure.has_values:
            return figure
        return replace(figure, reading="", empty=figure.empty if asked.topics else NOTHING_YET)

    @abstractmethod
    def draw(self, asked: Asked, view: View) -> Figure:
        """The figure in one of `views`."""
