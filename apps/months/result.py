"""The result of a month by one policy, as it is stored."""

from __future__ import annotations

from apps.months.month import MonthResult
from apps.schemas.input import Input

DIGITS = 4
GOAL_RECALL, GOAL_SHARE = 0.9, 0.1
"""What a watch is held to: so many of the new relevant pages within a day, with so few of the
requests of a daily recrawl of the whole web."""


class PolicyResult(Input):
    """One policy. `recall` is the share of the `born` new relevant pages that were seen within a
    day, `seen` how many were at all; `share` the `requests` against those of a daily recrawl of the
    whole web. `freshness` is the share of the time in which copies were current; `changes` were
    seen, `false` pages called changed that had not, `missed` those that had and were called the
    same; `false_gone` of the `gone` were there."""

    visits: int
    requests: int
    share: float
    born: int
    seen: int
    recall: float
    freshness: float
    changes: int
    false: int
    missed: int
    gone: int
    false_gone: int

    @classmethod
    def of(cls, month: MonthResult) -> PolicyResult:
        """The figures of a month, rounded as they are saved."""
        return cls(
            visits=month.visits,
            requests=month.requests,
            share=round(month.share, DIGITS),
            born=month.born,
            seen=month.seen,
            recall=round(month.recall, DIGITS),
            freshness=round(month.freshness, DIGITS),
            changes=month.changes,
            false=len(month.false),
            missed=len(month.missed),
            gone=month.gone,
            false_gone=len(month.false_gone),
        )

    @property
    def reaches_goals(self) -> bool:
        """Whether it does what a watch is held to."""
        is_right = not (self.false or self.missed or self.false_gone)
        return is_right and self.recall >= GOAL_RECALL and self.share <= GOAL_SHARE
