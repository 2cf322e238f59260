"""Committee agreement: how often the judges agree."""

from __future__ import annotations

from apps.engine.curve_spec import CurveSpec
from apps.engine.evaluation.measure import JudgedPage, RunningMean, Witness


class CommitteeAgreement(RunningMean):
    """The share of pages on which all judges agree; None with fewer than two judges.

    If the judges seldom agree, a harvest rate based on their votes is not meaningful (LC §6).
    """

    id = "committee_agreement"
    title = "Unanimous verdicts"
    unit = "share"
    paper = "LC §6"
    witness = Witness.JUDGE
    curve = CurveSpec("courses", "unanimous verdicts", "ink-2", "dashed")

    def quantity(self, page: JudgedPage) -> float | None:
        verdict = page.verdict
        if verdict is None or verdict.of < 2:
            return None
        return float(verdict.votes in (0, verdict.of))
