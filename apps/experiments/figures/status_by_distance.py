"""Whether pages link to pages of similar status."""

from __future__ import annotations

from apps.crawls.measures.plots.status_locality import locality_numbers
from apps.engine.evaluation.status_locality import Locality
from apps.experiments.figures.paper_figure import View
from apps.experiments.figures.study_figure import StudyFigure
from apps.experiments.studies.study import PageStudyFigures
from apps.figures.axis import Axis
from apps.figures.figure import Data, Figure, FigureTable
from apps.figures.quantities import count, score
from apps.figures.traces import Curve, Dots

RHO = Axis("Spearman’s ρ of in-links", "correlation")
MARKS = (("all links", "status", "circle"), ("between domains", "ink-2", "square"))


class StatusByDistance(StudyFigure):
    """How strongly the in-links of two pages correlate, by the number of links between them.

    Spearman’s correlation after one, two and three links, and of random pairs, over the links of
    the pages that the baseline fetched first. If it is about 0 at distance 1, a crawler that trusts
    status gains nothing on this web.
    """

    id = "status_by_distance"
    title = "Status by link distance"
    papers = {"SL": "2"}
    published = (
        ".36 at distance 1, more than 45 % less at 2 and 3, −.01 for random pairs; between domains "
        ".17 at distance 1."
    )
    axes = (Axis("links between the two pages", ""), RHO)

    def of_study(self, study: PageStudyFigures, view: View) -> Figure:
        rows = study.localities
        names = tuple(_name(row) for row in rows)
        values = ([row.correlation for row in rows], [row.cross for row in rows])
        dots = tuple(
            Dots(label, colour, [*range(len(rows))], column, mark=mark, shift=shift)
            for (label, colour, mark), column, shift in zip(
                MARKS, values, (-0.06, 0.06), strict=True
            )
        )
        return Figure(
            Axis("links between the two pages", "", names=names),
            RHO,
            (*dots, *_lines(values[0])) if rows else (),
            reading=_reading(study),
            empty="Needs in-link counts: read the web’s links through on a topic’s page",
            table=_table(rows),
            data=_data(rows),
            grouped=False,
        )


def _lines(values: list[float | None]) -> tuple[Curve, ...]:
    """Through the distances, not to the random pairs."""
    means = values[:-1]
    return (Curve("all links", "status", [*range(len(means))], means, named=False),)


def _name(row: Locality) -> str:
    return str(row.distance) if row.distance else "random pairs"


def _reading(study: PageStudyFigures) -> str:
    correlations = ", ".join(f"{_name(row)} {score(row.correlation)}" for row in study.localities)
    return f"Correlation of in-links by distance over {count(study.pages)} pages: {correlations}."


def _table(rows: tuple[Locality, ...]) -> FigureTable:
    return FigureTable(
        ("Links between", "Pairs", "ρ", "p", "Pairs between domains", "ρ", "p"),
        tuple((_name(row), *locality_numbers(row)) for row in rows),
    )


def _data(rows: tuple[Locality, ...]) -> Data:
    return Data(
        (
            "distance",
            "pairs",
            "correlation",
            "p",
            "pairs between domains",
            "correlation between domains",
            "p between domains",
        ),
        tuple(
            (_name(row), row.pairs, row.correlation, row.p, row.cross_pairs, row.cross, row.cross_p)
            for row in rows
        ),
    )
