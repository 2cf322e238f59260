"""Average status: the influence of the pages that a crawl fetches (SL §5.1)."""

from __future__ import annotations

from math import log1p

from apps.engine.curve_spec import CurveSpec
from apps.engine.evaluation.measure import JudgedPage, RecentMean, RunningMean, Witness


class AverageStatus(RunningMean):
    """Mean ln(1 + in-links) over the pages that have an in-link count."""

    id = "average_status"
    title = "Average status"
    unit = "log"
    paper = "SL §5.1"
    witness = Witness.INLINKS
    curve = CurveSpec("status", "mean ln(1 + in-links)", "status")

    def quantity(self, page: JudgedPage) -> float | None:
        return None if page.inlinks is None else log1p(page.inlinks)


class AverageStatusEstimated(RunningMean):
    """Mean of ln(1 + in-links) as predicted by the status model, before its sigmoid."""

    id = "average_status_estimated"
    title = "Average status, estimated"
    unit = "log"
    paper = "SL §4.2"
    witness = Witness.INLINKS
    curve = CurveSpec("status", "estimated by the model", "status", "dashed")

    def quantity(self, page: JudgedPage) -> float | None:
        return page.status_log


class StatusRecent(RecentMean):
    """Mean status of the last 100 pages: in-link counts, or else the model's predictions."""

    id = "status_recent"
    title = "Average status, last 100 pages"
    unit = "log"
    paper = "SL §5.1"
    witness = Witness.INLINKS
    curve = CurveSpec("status", "last 100 pages", "status", "faint")

    def quantity(self, page: JudgedPage) -> float | None:
        return page.status_log if page.inlinks is None else log1p(page.inlinks)
