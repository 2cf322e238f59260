"""The recall of all crawlers on a web, as it is saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field

from apps.engine.model import Floats
from apps.research.effectiveness.saved_result import DIGITS, SavedResult
from apps.schemas.input import Input
from apps.schemas.refused import Refused

Kind = Literal["bound", "strategy", "candidate", "ablation"]


class CrawlerRecall(Input):
    """A crawler's recall of the targets of each topic. A `bound` sees labels."""

    kind: Kind
    strategy: str
    recall: Annotated[tuple[float, ...], Field(strict=False)]

    @property
    def values(self) -> Floats:
        return np.array(self.recall)


class WebResult(SavedResult):
    """All crawlers on the same topics of one web, by name."""

    results_field = "crawlers"
    topics: Annotated[tuple[str, ...], Field(strict=False)]
    targets: Annotated[tuple[int, ...], Field(strict=False)]
    crawlers: dict[str, CrawlerRecall] = {}

    def of_kind(self, kind: Kind) -> Mapping[str, CrawlerRecall]:
        return {name: each for name, each in self.crawlers.items() if each.kind == kind}

    def with_crawler(
        self, name: str, kind: Kind, strategy: str, recall: Sequence[float]
    ) -> WebResult:
        """A copy with one crawler more."""
        rounded = tuple(round(float(value), DIGITS) for value in recall)
        crawler = CrawlerRecall(kind=kind, strategy=strategy, recall=rounded)
        return self.model_copy(update={"crawlers": {**self.crawlers, name: crawler}})

    @classmethod
    def read_all(cls, folder: Path) -> list[Self]:
        """The results saved in a folder, by name. Raises Refused, also if there are none."""
        results = super().read_all(folder)
        if not results:
            raise Refused("from", f"There is no saved result in {folder}.")
        return results
