"""Target recall: the share of the target pages that the crawl has fetched (LC §6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from apps.engine.curve_spec import CurveSpec
from apps.engine.evaluation.measure import (
    GroundTruth,
    JudgedPage,
    Measure,
    RecordCounts,
    Witness,
)
from apps.engine.evaluation.wilson import wilson_interval


def estimated_recall(fetched: int, targets: int) -> tuple[float, float] | None:
    """Between which shares the recall of all relevant pages lies, in 95 of 100 cases, if the
    targets are a fair sample of them (Wilson's score interval); None without targets."""
    return wilson_interval(fetched, targets)


class TargetRecall(Measure):
    """|C(t) ∩ T| / |T| on canonical URLs: the requested, a redirect's or the final one."""

    id = "target_recall"
    title = "Target recall"
    unit = "share"
    paper = "LC §6"
    over = "targets"
    witness = Witness.TARGETS
    curve = CurveSpec("recall", "targets found", "recall", steps=True)
    things = "of the targets"
    accumulates = True
    more = ("targets_found", "targets")

    def __init__(self, targets: frozenset[str] = frozenset()) -> None:
        self.targets = targets
        self.fetched: set[str] = set()

    @classmethod
    def from_ground_truth(cls, truth: GroundTruth) -> Self:
        return cls(truth.targets)

    def hits(self, page: JudgedPage) -> set[str]:
        """The targets among the page's URLs."""
        return {url for url in (page.url, *page.hops, page.final_url) if url in self.targets}

    def update(self, page: JudgedPage) -> None:
        self.fetched |= self.hits(page)

    def value(self) -> float | None:
        return len(self.fetched) / len(self.targets) if self.targets else None

    def numbers(self) -> tuple[int, int]:
        return len(self.fetched), len(self.targets)

    @classmethod
    def coverage(cls, records: RecordCounts) -> int:
        return records.targets

    def state(self) -> dict[str, Any]:
        return {"found": sorted(self.fetched)}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.fetched = set(state["found"])
