"""Harvest rate: the share of pages that are relevant by the judge (LC §6, AFC §1)."""

from __future__ import annotations

from apps.engine.curve_spec import CurveSpec
from apps.engine.evaluation.measure import JudgedPage, RecentMean, RunningMean, Witness


def _relevant(page: JudgedPage) -> float | None:
    return None if page.verdict is None else float(page.verdict.relevant)


class HarvestRate(RunningMean):
    """H(t): pages relevant by the judge, over pages fetched; failures do not count."""

    id = "harvest_rate"
    title = "Harvest rate"
    unit = "share"
    paper = "LC §6"
    witness = Witness.JUDGE
    curve = CurveSpec("harvest", "since start", "harvest")

    def quantity(self, page: JudgedPage) -> float | None:
        return _relevant(page)


class HarvestWithoutSeeds(RunningMean):
    """The harvest rate of the pages reached over links, without the seeds."""

    id = "harvest_without_seeds"
    title = "Harvest rate without the seeds"
    unit = "share"
    paper = "LC §6"
    witness = Witness.JUDGE
    curve = CurveSpec("courses", "harvest rate without the seeds", "harvest", "dashed")

    def quantity(self, page: JudgedPage) -> float | None:
        return None if page.seed else _relevant(page)


class HarvestRecent(RecentMean):
    """The harvest rate of the last 100 pages: the crawl's current performance."""

    id = "harvest_recent"
    title = "Harvest rate, last 100 pages"
    unit = "share"
    paper = "LC §6"
    witness = Witness.JUDGE
    curve = CurveSpec("harvest", "last 100 pages", "harvest", "faint")

    def quantity(self, page: JudgedPage) -> float | None:
        return _relevant(page)
