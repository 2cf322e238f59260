"""Figures as files: their values, unrounded, for a spreadsheet or a program."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from io import BytesIO

from apps.experiments.figures import FIGURES
from apps.experiments.figures.asked import Asked
from apps.experiments.figures.paper_figure import PaperFigure, View
from apps.exports.csv import CsvLines
from apps.figures.figure import Figure


def figure_csv(figure: Figure) -> bytes:
    """A line for each value drawn (UTF-8, RFC 4180), unknown ones empty."""
    data = figure.as_data()
    lines = CsvLines(data.head)
    rows = (lines.line(dict(zip(data.head, row, strict=True))) for row in data.rows)
    return b"".join([lines.heading(), *rows])


def file_name(figure: PaperFigure, view: View, extension: str = "csv") -> str:
    """`trajectories-target-recall.csv`."""
    parts = [figure.id, *([view.id] if view.id else [])]
    return f"{'-'.join(parts).replace('_', '-')}.{extension}"


def every_csv(asked: Asked) -> bytes:
    """A ZIP with a CSV file for each view of each figure that has values. Raises BadCheckpoint."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in _files(asked):
            archive.writestr(name, text)
    return packed.getvalue()


def _files(asked: Asked) -> Iterator[tuple[str, bytes]]:
    for figure in FIGURES:
        for view in figure.views(asked):
            drawn = figure.figure(asked, view.id)
            if drawn.has_values:
                yield file_name(figure, view), figure_csv(drawn)
