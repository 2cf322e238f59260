"""The targets of a topic on its page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User

from apps.crawls.targets import TargetRow, state_counts, target_rows
from apps.topics.inputs.relevant_set import pages_at_hand
from apps.topics.models import Target, Topic

SHOWN = 5
SHOWN_OF_ALL = 1_000


@dataclass(frozen=True, slots=True)
class TargetsView:
    """The whole section: `rows` are those shown, `states` how many targets are in each state, and
    `stored` how many of their pages have been fetched for a judge to learn from."""

    rows: Sequence[TargetRow]
    count: int
    reached: int
    gone: int
    states: list[tuple[int, str]]
    stored: int

    @property
    def unreached(self) -> int:
        return self.count - self.reached


def targets_view(topic: Topic, user: User, shows_all: bool) -> TargetsView:
    """The section for a person."""
    rows = target_rows(topic, user)
    return TargetsView(
        rows=rows[: SHOWN_OF_ALL if shows_all else SHOWN],
        count=len(rows),
        reached=sum(bool(row.crawls) for row in rows),
        gone=sum(row.state == Target.State.GONE for row in rows),
        states=state_counts(rows),
        stored=pages_at_hand(topic)[0],
    )
