"""The measures. Each that is updated page by page has one file and one line in `MEASURES`.

Those computed from the records of finished crawls are plain functions in separate files:
`precision_recall`, `context_quality`, `status_locality`, `status_map`, `status_sample`,
`relevance_distribution`, `url_overlap`, `difficulty`, `significance`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from apps.engine.evaluation.average_status import (
    AverageStatus,
    AverageStatusEstimated,
    StatusRecent,
)
from apps.engine.evaluation.committee_agreement import CommitteeAgreement
from apps.engine.evaluation.diversity import Diversity, PagesPerSite
from apps.engine.evaluation.harvest_rate import HarvestRate, HarvestRecent, HarvestWithoutSeeds
from apps.engine.evaluation.harvest_rate_true import HarvestRateTrue
from apps.engine.evaluation.mean_tau import MeanTau
from apps.engine.evaluation.measure import GroundTruth, JudgedPage, Measure
from apps.engine.evaluation.reliability import Reliability
from apps.engine.evaluation.soft_harvest import CriticLoss, LossRate, SoftHarvest
from apps.engine.evaluation.target_recall import TargetRecall
from apps.engine.evaluation.virtual_web_recall import VirtualWebRecall

MEASURES: tuple[type[Measure], ...] = (
    HarvestRate,
    HarvestWithoutSeeds,
    HarvestRecent,
    HarvestRateTrue,
    SoftHarvest,
    LossRate,
    CriticLoss,
    CommitteeAgreement,
    TargetRecall,
    VirtualWebRecall,
    AverageStatus,
    AverageStatusEstimated,
    StatusRecent,
    MeanTau,
    Diversity,
    PagesPerSite,
    Reliability,
)

# Also in each sample: the targets as counts, besides their share.
COUNTS = ("targets_found", "targets")


class Measures:
    """All measures of one crawl, updated with the same pages."""

    def __init__(self, truth: GroundTruth | None = None) -> None:
        truth = truth or GroundTruth()
        self.recall = TargetRecall.from_ground_truth(truth)
        self.all: dict[str, Measure] = {kind.id: kind.from_ground_truth(truth) for kind in MEASURES}
        self.all[TargetRecall.id] = self.recall

    def update(self, page: JudgedPage) -> None:
        for measure in self.all.values():
            measure.update(page)

    def values(self) -> dict[str, float | int | None]:
        """The value of each measure by its id, and the targets as counts."""
        return {
            **{name: measure.value() for name, measure in self.all.items()},
            **dict(zip(COUNTS, (len(self.recall.found), len(self.recall.targets)), strict=True)),
        }

    def state(self) -> dict[str, Any]:
        return {name: measure.state() for name, measure in self.all.items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        for name, kept in state.items():
            self.all[name].restore(kept)
