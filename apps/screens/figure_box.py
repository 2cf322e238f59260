"""A figure on a screen: the texts above, inside and under its plot."""

from __future__ import annotations

from dataclasses import dataclass

from apps.figures.figure import FigureTable


@dataclass(frozen=True, slots=True)
class FigureBox:
    """The texts of `components/figure.html`.

    `id` names the figure on its page; the page's script looks for it under that name. `caption` and
    `empty`, the message inside the axes if nothing is drawn, are HTML. `reading` is the text
    alternative. Without a `table` the script fills one in.
    """

    id: str
    title: str
    caption: str
    reading: str
    empty: str = ""
    table: FigureTable | None = None
