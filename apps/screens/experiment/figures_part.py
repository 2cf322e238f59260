"""The part of an experiment's page with the papers' figures, and one figure large."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.http import Http404, QueryDict
from django.template.loader import render_to_string
from django.urls import reverse

from apps.accounts.requests import SignedInRequest
from apps.experiments.figures import FIGURES
from apps.experiments.figures.asked import Asked, asked_of
from apps.experiments.figures.paper_figure import PaperFigure, View
from apps.experiments.models import Experiment
from apps.experiments.results.outcomes import Outcomes, outcomes
from apps.experiments.studies.services import AFTERWARDS, UNDER_WAY, ensure_study
from apps.figures.figure import Figure
from apps.figures.marks import MARKS, Mark
from apps.screens.experiment.page import ExperimentPage
from apps.screens.experiment.parts import DRAWN
from apps.screens.figure_box import FigureBox

MOMENTS = 10


@dataclass(frozen=True, slots=True)
class FiguresAddress:
    """The figures to show: those of a paper, at a number of pages, with these crawlers in colour,
    numbered from 1; empty fields take the experiment's defaults."""

    paper: str = ""
    pages: int | None = None
    drawn: tuple[int, ...] | None = None
    view: str = ""

    @classmethod
    def read(cls, asked: QueryDict) -> FiguresAddress:
        """The address of a request; what cannot be read counts as not given."""
        pages = _number(asked.get("pages", ""))
        drawn = [n for text in ",".join(asked.getlist("drawn")).split(",") if (n := _number(text))]
        return cls(
            asked.get("paper", "")[:10], pages, tuple(drawn) or None, asked.get("view", "")[:60]
        )

    def query(self, **changes: Any) -> str:
        """The address as a query string, with these changes."""
        wanted = replace(self, **changes)
        values = {
            "paper": wanted.paper,
            "pages": wanted.pages,
            "view": wanted.view,
            "drawn": ",".join(map(str, wanted.drawn or ())),
        }
        return urlencode({name: value for name, value in values.items() if value})

    def link(self, **changes: Any) -> str:
        """The part with some of it changed."""
        return f"?part={DRAWN}&{self.query(**changes)}".rstrip("&")

    def select(self, results: Outcomes) -> Asked:
        """The data to draw."""
        indexes = None if self.drawn is None else [index - 1 for index in self.drawn]
        return asked_of(results, self.pages, indexes, ensure_study(results))


@dataclass(frozen=True, slots=True)
class GridFigure:
    """A figure of the grid."""

    figure: PaperFigure
    drawn: Figure
    box: FigureBox


@dataclass(frozen=True, slots=True)
class Crawlers:
    """The legend: each crawler with its mark and whether it is drawn in colour."""

    rows: tuple[tuple[int, str, Mark, bool], ...]
    most: int

    @property
    def number_drawn(self) -> int:
        return sum(drawn for _, _, _, drawn in self.rows)

    @property
    def others(self) -> int:
        return len(self.rows) - self.number_drawn


def crawlers_of(asked: Asked) -> Crawlers:
    """The crawlers as they are drawn, by their numbers from 1."""
    return Crawlers(
        tuple(
            (index + 1, label, mark, bool(mark.symbol))
            for index, (label, mark) in enumerate(zip(asked.labels, asked.marks, strict=True))
        ),
        len(MARKS),
    )


def context(request: SignedInRequest, page: ExperimentPage) -> dict[str, Any]:
    """The grid of figures, or without a finished cell what they wait for."""
    address = FiguresAddress.read(request.GET)
    if not page.now.done:
        return {"address": address, "shown": [], "all_figures": FIGURES}
    results = outcomes(page.experiment)
    asked = address.select(results)
    shown = list(_grid(page.experiment, asked, address))
    return {
        "address": address,
        "shown": shown,
        "all_figures": FIGURES,
        "crawlers": crawlers_of(asked),
        "figures": {each.figure.id: each.drawn.as_plotly() for each in shown},
        "can_be": sum(each.drawn.has_values for each in shown),
        "query": address.query(view=""),
        "papers": [("", "All", len(FIGURES), address.link(paper="")), *_papers(address)],
        "is_studied": asked.studied.words == UNDER_WAY,
        "problem": _problem(page, asked),
        "kept": [("part", DRAWN), *parse_qsl(address.query(drawn=None))],
        "pages": asked.pages,
        "moments": _moments(results, asked.pages),
    }


def _problem(page: ExperimentPage, asked: Asked) -> str:
    """Why what is measured over the pages is not there, if that has failed."""
    words = asked.studied.words
    return words if page.is_over and words not in ("", UNDER_WAY, AFTERWARDS) else ""


def large(request: SignedInRequest, experiment: Experiment, id: str) -> dict[str, Any]:
    """One figure with its views. Raises Http404 if there is none of that id."""
    figure = figure_named(id)
    address = FiguresAddress.read(request.GET)
    asked = address.select(outcomes(experiment))
    drawn = figure.figure(asked, address.view)
    views = figure.views(asked)
    chosen = figure.choose_view(asked, address.view)
    return {
        "figure": figure,
        "drawn": drawn,
        "address": address,
        "crawlers": crawlers_of(asked),
        "box": _box(experiment, figure, drawn, address, large=True),
        "chosen": chosen,
        "views": [
            (view, _large_address(experiment, figure, address, view), view == chosen)
            for view in views
        ],
        "figures": {figure.id: drawn.as_plotly()},
        "query": address.query(paper=""),
        "kept": parse_qsl(address.query(drawn=None, paper="")),
        "pages": asked.pages,
    }


def figure_named(id: str) -> PaperFigure:
    """The figure of that id. Raises Http404."""
    figure = next((each for each in FIGURES if each.id == id), None)
    if figure is None:
        raise Http404(id)
    return figure


def _grid(experiment: Experiment, asked: Asked, address: FiguresAddress) -> Iterator[GridFigure]:
    for figure in FIGURES:
        if not address.paper or address.paper in figure.papers:
            drawn = figure.figure(asked)
            yield GridFigure(figure, drawn, _box(experiment, figure, drawn, address))


def _box(
    experiment: Experiment,
    figure: PaperFigure,
    drawn: Figure,
    address: FiguresAddress,
    *,
    large: bool = False,
) -> FigureBox:
    caption = {
        "figure": figure,
        "drawn": drawn,
        "experiment": experiment,
        "large": large,
        "query": address.query(paper=""),
    }
    return FigureBox(
        id=figure.id,
        title=figure.title,
        caption=render_to_string("experiment/figure_caption.html", caption),
        reading=drawn.reading or drawn.empty,
        empty="" if drawn.has_values else render_to_string("experiment/figure_empty.html", caption),
        table=drawn.as_table() if drawn.has_values else None,
    )


def _large_address(
    experiment: Experiment, figure: PaperFigure, address: FiguresAddress, view: View
) -> str:
    path = reverse("experiment:figure", args=[experiment.pk, figure.id])
    return f"{path}?{address.query(paper='', view=view.id)}"


def _papers(address: FiguresAddress) -> Iterator[tuple[str, str, int, str]]:
    """Each paper with the number of its figures here."""
    for paper in dict.fromkeys(paper for figure in FIGURES for paper in figure.papers):
        number = sum(paper in figure.papers for figure in FIGURES)
        yield paper, paper, number, address.link(paper=paper)


def _moments(results: Outcomes, chosen: int) -> Sequence[int]:
    grid = results.grid.tolist()
    every = max(1, len(grid) // MOMENTS)
    return sorted({*grid[every - 1 :: every], results.design.moment, chosen})


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 10 and int(text) else None
