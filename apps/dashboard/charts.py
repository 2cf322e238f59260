"""The four charts of a crawl: which measures they draw, and in what words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Style = Literal["solid", "faint", "dashed"]


@dataclass(frozen=True, slots=True)
class Line:
    """One trace. `key` names the sample's metric, `colour` a measure's token in tokens.css.

    `steps` draws a value that holds until the next (targets found, δ) as a staircase.
    """

    key: str
    label: str
    colour: str
    style: Style = "solid"
    steps: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """A plot with fixed axes: shares from 0 to 100 %, scores from 0 to 1, logs from 0 up."""

    id: str
    title: str
    unit: Literal["share", "score", "log"]
    colour: str
    lines: tuple[Line, ...]

    @property
    def main(self) -> Line:
        return self.lines[0]


HARVEST = Chart(
    "harvest", "Harvest rate", "share", "harvest",
    (
        Line("harvest_rate", "since start", "harvest"),
        Line("harvest_recent", "last 100 pages", "harvest", "faint"),
        Line("harvest_rate_true", "by the web’s labels", "ink-2", "dashed"),
    ),
)  # fmt: skip
RECALL = Chart(
    "recall", "Target recall", "share", "recall",
    (Line("target_recall", "targets found", "recall", steps=True),),
)  # fmt: skip
STATUS = Chart(
    "status", "Average status", "log", "status",
    (
        Line("average_status", "mean ln(1 + in-links)", "status"),
        Line("average_status_estimated", "estimated by the model", "status", "dashed"),
        Line("status_recent", "last 100 pages", "status", "faint"),
    ),
)  # fmt: skip
ALPHA = Chart(
    "alpha", "Adaptive α", "score", "alpha",
    (
        Line("alpha", "α", "alpha"),
        Line("mean_tau", "mean τ, recent pages", "harvest", "faint"),
        Line("delta", "δ", "harvest", "dashed", steps=True),
    ),
)  # fmt: skip

CHARTS = (HARVEST, RECALL, STATUS, ALPHA)
# The time a crawl was at work, in seconds: the other axis that the charts can be drawn over.
CLOCK = "active_seconds"
KEYS = (*(line.key for chart in CHARTS for line in chart.lines), CLOCK)

# The letter that marks an event on the charts, for those that may bend a curve.
LETTERS = {"delta": "δ", "labels": "L", "trap": "T"}
