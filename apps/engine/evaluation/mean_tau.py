"""Mean topicality of the last pages, which the adaptive crawler controls (SL §6.1)."""

from __future__ import annotations

from apps.engine.curve_spec import CurveSpec
from apps.engine.evaluation.measure import JudgedPage, RecentMean, Witness


class MeanTau(RecentMean):
    """Mean τ of the last M pages, by the guiding model.

    M is the memory of an adaptive crawler, and 25 for all others.
    """

    id = "mean_tau"
    title = "Mean τ, last M pages"
    unit = "score"
    paper = "SL §6.1"
    window = 25
    witness = Witness.CRITIC
    curve = CurveSpec("alpha", "mean τ, recent pages", "harvest", "faint")

    def quantity(self, page: JudgedPage) -> float | None:
        return page.topicality
