"""How a number that changes over a crawl is drawn, as said by what gives the number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Style = Literal["solid", "faint", "dashed"]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A curve: on which chart (by its id), under which label, how.

    `colour` is a token of `static/css/tokens.css`; `steps` draws a value that holds until the next
    as a staircase.
    """

    chart: str
    label: str
    colour: str
    style: Style = "solid"
    steps: bool = False
