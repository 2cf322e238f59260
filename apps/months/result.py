"""The result of a month by one policy, as it is stored."""

from __future__ import annotations

from typing import Any

from pydantic import model_validator

from apps.months.month import MonthResult
from apps.schemas.input import Input

DIGITS = 4
GOAL_RECALL, GOAL_SHARE = 0.9, 0.1
"""What a watch is held to: so many of the new relevant pages within a day, with so few of the
requests of a daily recrawl of the whole web."""


class PolicyResult(Input):
    """One policy. `recall` is the share of the `born` new relevant pages that were seen within a
    day, None if none was born, `seen` how many were at all; `share` the `requests` against those of
    a daily recrawl of the whole web. `freshness` is the share of the time in which copies were
    current; `changes` were seen, `false` pages called changed that had not, `missed` those that had
    and were called the same; `false_gone` of the `gone` were there."""

    visits: int
    requests: int
    share: float
    born: int
    seen: int
    recall: float | None
    freshness: float | None
    changes: int
    false: int
    missed: int
    gone: int
    false_gone: int

    @model_validator(mode="before")
    @classmethod
    def _without_births(cls, values: Any) -> Any:
        """Results of earlier versions have a recall of 0 where none was born."""
        is_of_none = isinstance(values, dict) and values.get("born") == 0
        return {**values, "recall": None} if is_of_none else values

    @classmethod
    def of(cls, month: MonthResult) -> PolicyResult:
        """The figures of a month, rounded as they are saved."""
        return cls(
            visits=month.visits,
            requests=month.requests,
            share=round(month.share, DIGITS),
            born=month.born,
            seen=month.seen,
            recall=_rounded(month.recall),
            freshness=_rounded(month.freshness),
            changes=month.changes,
            false=len(month.false),
            missed=len(month.missed),
            gone=month.gone,
            false_gone=len(month.false_gone),
        )

    @property
    def reaches_goals(self) -> bool:
        """Whether it does what a watch is held to; a month without births does not show it."""
        is_right = not (self.false or self.missed or self.false_gone)
        is_seen = self.recall is not None and self.recall >= GOAL_RECALL
        return is_right and is_seen and self.share <= GOAL_SHARE


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, DIGITS)
