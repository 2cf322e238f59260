"""How a number that changes over a crawl is drawn, declared by its measure or strategy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Style = Literal["solid", "faint", "dashed"]


@dataclass(frozen=True, slots=True)
class CurveSpec:
    """A curve: the id of its chart, its label and its style.

    `colour` is a token of `static/css/tokens.css`; `steps` draws a step function.
    """

    chart: str
    label: str
    colour: str
    style: Style = "solid"
    steps: bool = False
