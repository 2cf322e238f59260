"""Soft harvest rate and loss rates: a probability instead of a vote, the judge's or the critic's
(AFC §3)."""

from __future__ import annotations

from apps.engine.drawing import Drawn
from apps.engine.evaluation.measure import JudgedPage, Mean, Witness


class SoftHarvest(Mean):
    """The mean P(c|v) of the pages fetched, by the judge."""

    id = "soft_harvest"
    title = "Soft harvest rate"
    unit = "share"
    paper = "AFC §1"
    witness = Witness.JUDGE

    def quantity(self, page: JudgedPage) -> float | None:
        return None if page.verdict is None else page.verdict.probability


class LossRate(Mean):
    """1 − the mean P(c|v) by the judge: the share of the effort that went astray.

    **Choice**: AFC lets the critic say so, the classifier that guides the crawl; a judge that has
    no part in it is the stricter witness. The critic's loss is a measure of its own.
    """

    id = "loss_rate"
    title = "Loss rate"
    unit = "share"
    paper = "AFC §3.5"
    witness = Witness.JUDGE
    drawn = Drawn("courses", "loss rate", "harvest")
    less_is_better = True

    def quantity(self, page: JudgedPage) -> float | None:
        return None if page.verdict is None else 1.0 - page.verdict.probability


class CriticLoss(Mean):
    """1 − the mean P(c|v) by the critic, the classifier that guides the crawl, as AFC has it."""

    id = "critic_loss"
    title = "Loss rate, by the critic"
    unit = "share"
    paper = "AFC §3.5"
    witness = Witness.CRITIC
    drawn = Drawn("courses", "loss rate by the critic", "ink-2")
    less_is_better = True

    def quantity(self, page: JudgedPage) -> float | None:
        return None if page.topicality is None else 1.0 - page.topicality
