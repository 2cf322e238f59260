"""Harvest rate by the true labels of a recorded web (SLC §5.1)."""

from __future__ import annotations

from apps.engine.curve_spec import CurveSpec
from apps.engine.evaluation.measure import JudgedPage, RunningMean, Witness


class HarvestRateTrue(RunningMean):
    """The share of pages with the topic's label; None on a web without labels."""

    id = "harvest_rate_true"
    title = "Harvest rate by the web's labels"
    unit = "share"
    paper = "SLC §5.1, eq. 7"
    witness = Witness.LABELS
    curve = CurveSpec("harvest", "by the web’s labels", "ink-2", "dashed")

    def quantity(self, page: JudgedPage) -> float | None:
        return None if page.label is None else float(page.label)
