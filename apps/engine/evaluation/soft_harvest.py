"""Soft harvest rate and loss rate: the judge's probability instead of its vote (AFC §3)."""

from __future__ import annotations

from apps.engine.evaluation.measure import JudgedPage, Mean


class SoftHarvest(Mean):
    """The mean P(c|v) of the pages fetched, by the judge."""

    id = "soft_harvest"
    title = "Soft harvest rate"
    unit = "share"
    paper = "AFC §1"

    def quantity(self, page: JudgedPage) -> float | None:
        return None if page.verdict is None else page.verdict.probability


class LossRate(Mean):
    """1 − the mean P(c|v): the share of the effort that went astray."""

    id = "loss_rate"
    title = "Loss rate"
    unit = "share"
    paper = "AFC §3.5"

    def quantity(self, page: JudgedPage) -> float | None:
        return None if page.verdict is None else 1.0 - page.verdict.probability
