"""Reliability: the share of the fetched sites that editors have listed (SL §7.3)."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any, Self

from apps.engine.curve_spec import CurveSpec
from apps.engine.evaluation.diversity import Diversity
from apps.engine.evaluation.measure import (
    GroundTruth,
    JudgedPage,
    RecordCounts,
    Witness,
)


class Reliability(Diversity):
    """The share of distinct registered domains that a directory lists; None without a directory."""

    id = "reliability"
    title = "Sites listed in the directory"
    unit = "share"
    paper = "SL §7.3"
    over = "sites"
    witness = Witness.DIRECTORY
    curve = CurveSpec("courses", "sites in the directory", "status")
    things = ""
    accumulates = False

    def __init__(self, directory: Set[str] = frozenset()) -> None:
        super().__init__()
        self.directory = directory
        self.listed = 0
        self._has_directory = bool(len(directory))

    @classmethod
    def from_ground_truth(cls, truth: GroundTruth) -> Self:
        return cls(truth.directory)

    def update(self, page: JudgedPage) -> None:
        domain = page.domain
        if domain not in self.domains:
            self.domains.add(domain)
            self.listed += domain in self.directory

    def value(self) -> float | None:
        return self.listed / len(self.domains) if self._has_directory and self.domains else None

    @classmethod
    def coverage(cls, records: RecordCounts) -> int:
        return records.sites

    def restore(self, state: Mapping[str, Any]) -> None:
        super().restore(state)
        self.listed = sum(domain in self.directory for domain in self.domains)
