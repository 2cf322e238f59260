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
from apps.engine.evaluation.estimated_recall import EstimatedRecall
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
    EstimatedRecall,
    VirtualWebRecall,
    AverageStatus,
    AverageStatusEstimated,
    StatusRecent,
    MeanTau,
    Diversity,
    PagesPerSite,
    Reliability,
)

BY_ID: Mapping[str, type[Measure]] = {measure.id: measure for measure in MEASURES}


def numbers() -> tuple[str, ...]:
    """The names of all numbers in a sample: of each measure and its further ones."""
    return tuple(name for kind in MEASURES for name in (kind.id, *kind.more))


class Measures:
    """All measures of one crawl, updated with the same pages."""

    def __init__(self, truth: GroundTruth | None = None, by_guide: bool = False) -> None:
        """`by_guide` says that the classifier which guides the crawl is also its judge."""
        truth = truth or GroundTruth()
        self.recall = TargetRecall.from_ground_truth(truth)
        self.all: dict[str, Measure] = {kind.id: kind.from_ground_truth(truth) for kind in MEASURES}
        self.all[TargetRecall.id] = self.recall
        estimated = EstimatedRecall()
        estimated.by_guide = by_guide
        self.all[EstimatedRecall.id] = estimated

    def update(self, page: JudgedPage) -> None:
        for measure in self.all.values():
            measure.update(page)

    def count_label(self, page: int, relevant: bool | None) -> None:
        """Passes a person's label to all measures; see `Measure.count_label`."""
        for measure in self.all.values():
            measure.count_label(page, relevant)

    def values(self) -> dict[str, float | int | None]:
        """The value of each measure by its id, and its further numbers."""
        values: dict[str, float | int | None] = {}
        for name, measure in self.all.items():
            values[name] = measure.value()
            values.update(zip(measure.more, measure.numbers(), strict=True))
        return values

    def state(self) -> dict[str, Any]:
        return {name: measure.state() for name, measure in self.all.items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        for name, stored in state.items():
            self.all[name].restore(stored)
