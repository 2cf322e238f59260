"""Virtual-web recall: the share of a recorded web's relevant pages that is fetched (SLC §5.1)."""

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


class VirtualWebRecall(Measure):
    """|C(t) ∩ T| / |T|, with T the pages of the web with the topic's label (SLC eq. 8).

    None if the web has no labels or no page with this one.
    """

    id = "virtual_web_recall"
    title = "Recall of the web's relevant pages"
    unit = "share"
    paper = "SLC §5.1, eq. 8"
    over = "relevant pages of the web"
    witness = Witness.LABELS
    curve = CurveSpec("courses", "recall of the web’s relevant pages", "recall")
    things = "of the web’s relevant pages"
    accumulates = True

    def __init__(self, relevant: int | None = None) -> None:
        self.relevant = relevant
        self.fetched = 0

    @classmethod
    def from_ground_truth(cls, truth: GroundTruth) -> Self:
        return cls(truth.relevant)

    def update(self, page: JudgedPage) -> None:
        self.fetched += page.label is True

    def value(self) -> float | None:
        return self.fetched / self.relevant if self.relevant else None

    @classmethod
    def coverage(cls, records: RecordCounts) -> int:
        return records.relevant

    def state(self) -> dict[str, Any]:
        return {"found": self.fetched}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.fetched = int(state["found"])
