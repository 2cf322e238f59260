"""Mean topicality of the last pages: what the adaptive crawler steers by (SL §6.1)."""

from __future__ import annotations

from apps.engine.evaluation.measure import JudgedPage, RecentMean


class MeanTau(RecentMean):
    """Mean τ of the last 25 pages, by the model that guides the crawl."""

    id = "mean_tau"
    title = "Mean τ, last 25 pages"
    unit = "score"
    paper = "SL §6.1"
    window = 25

    def quantity(self, page: JudgedPage) -> float | None:
        return page.topicality
