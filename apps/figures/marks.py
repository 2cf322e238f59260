"""The colour, symbol and dash by which each crawl is recognised in curves, legends and tables."""

from __future__ import annotations

from dataclasses import dataclass

from apps.engine.curve_spec import Style


@dataclass(frozen=True, slots=True)
class Mark:
    """`colour` is a token of tokens.css, `symbol` Plotly's name of the symbol at the end of the
    curve, `path` the same symbol as an SVG path round (0, 0), empty for none."""

    colour: str
    style: Style
    symbol: str
    path: str


@dataclass(frozen=True, slots=True)
class End:
    """A line of a legend: the mark and name of a crawl or crawler, and its last value in words."""

    mark: Mark
    label: str
    value: str


MARKS = (
    Mark("strategy-0", "dashed", "circle-open", "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0"),
    Mark("strategy-1", "solid", "circle", "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0"),
    Mark("strategy-2", "solid", "square", "M-3-3h6v6h-6z"),
    Mark("strategy-3", "solid", "diamond", "M0-4.5L4.5 0L0 4.5L-4.5 0z"),
    Mark("strategy-4", "solid", "triangle-up", "M0-4L4 3.5H-4z"),
)
GREY = Mark("ink-3", "faint", "", "")


def marks_of(crawls: tuple[int, ...], coloured: tuple[int, ...]) -> dict[int, Mark]:
    """The mark of each crawl; the first of those coloured is drawn as the baseline."""
    own = dict(zip(coloured, MARKS, strict=False))
    return {crawl: own.get(crawl, GREY) for crawl in crawls}
