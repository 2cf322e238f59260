"""The columns of pages that the measures over a crawl's records read."""

from __future__ import annotations

from dataclasses import dataclass

from apps.engine.evaluation.measure import JudgedPage
from apps.engine.model import Verdict


@dataclass(frozen=True, slots=True)
class MeasuredPage:
    """The columns of one page."""

    seq: int
    number: int
    final_url: str
    relevant: bool | None
    votes: int | None
    votes_of: int | None
    probability: float | None
    topicality: float | None
    status_log: float | None
    seed: bool

    def to_judged_page(self, label: bool | None, inlinks: int | None) -> JudgedPage:
        """The page as the measures see it, without its path, which is not stored."""
        return JudgedPage(
            seq=self.seq,
            url=self.final_url,
            final_url=self.final_url,
            hops=(),
            seed=self.seed,
            verdict=Verdict.of_columns(self.votes, self.votes_of, self.probability),
            label=label,
            topicality=self.topicality,
            status_log=self.status_log,
            inlinks=inlinks,
        )
