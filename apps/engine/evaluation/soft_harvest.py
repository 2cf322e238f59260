"""Soft harvest rate and loss rates, from probabilities of the judge or the critic (AFC §3)."""

from __future__ import annotations

from apps.engine.curve_spec import CurveSpec
from apps.engine.evaluation.measure import JudgedPage, RunningMean, Witness


class SoftHarvest(RunningMean):
    """The mean P(c|v) of the pages fetched, by the judge."""

    id = "soft_harvest"
    title = "Soft harvest rate"
    unit = "share"
    paper = "AFC §1"
    witness = Witness.JUDGE

    def quantity(self, page: JudgedPage) -> float | None:
        return None if page.verdict is None else page.verdict.probability


class LossRate(RunningMean):
    """1 − the mean P(c|v) by the judge: the share of wasted effort.

    **Choice**: in AFC the critic, the classifier that guides the crawl, judges; an independent
    judge is stricter. The critic's loss is a separate measure.
    """

    id = "loss_rate"
    title = "Loss rate"
    unit = "share"
    paper = "AFC §3.5"
    witness = Witness.JUDGE
    curve = CurveSpec("courses", "loss rate", "harvest")
    less_is_better = True

    def quantity(self, page: JudgedPage) -> float | None:
        return None if page.verdict is None else 1.0 - page.verdict.probability


class CriticLoss(RunningMean):
    """1 − the mean P(c|v) by the critic, the classifier that guides the crawl, as in AFC."""

    id = "critic_loss"
    title = "Loss rate, by the critic"
    unit = "share"
    paper = "AFC §3.5"
    witness = Witness.CRITIC
    curve = CurveSpec("courses", "loss rate by the critic", "ink-2")
    less_is_better = True

    def quantity(self, page: JudgedPage) -> float | None:
        return None if page.topicality is None else 1.0 - page.topicality
