"""A person denies a change: it is no news any more, and blocks like those that differed
are passed over from then on. A short block, as a stamp or a counter is, counts for its host, prose
for its page alone. `claiming` is the counterpart."""

from __future__ import annotations

from datetime import datetime
from itertools import takewhile

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F

from apps.watches.changes import compare_versions, previous_versions
from apps.watches.errors import WatchRefused
from apps.watches.models import Observation, PageState, TaughtBlock, WatchedPage, WatchVisit
from apps.watches.taught_blocks import Keys, block_keys
from apps.watches.text_changes.differences import Passage
from apps.watches.text_changes.noise_rules import SHORT_BLOCK


def deny_change(seen: Observation, by: User, now: datetime) -> None:
    """This was no change. Raises WatchRefused if the observation is of none."""
    version = seen.version
    before = previous_versions([version]).get(version.pk) if version else None
    if seen.state != PageState.CHANGED or version is None or before is None:
        raise WatchRefused("change", "Only a page that has changed can be said not to have.")
    passages = [p for p in compare_versions(before, version).passages if p.counts]
    rows = [rule_of(passage, seen, by, now) for passage in passages]
    with transaction.atomic():
        if turn(seen, PageState.CHANGED, PageState.SAME):
            TaughtBlock.objects.bulk_create(rows)


def affirm_change(seen: Observation) -> None:
    """This was a change after all: takes back that it was none, and what that has taught. Raises
    WatchRefused if nobody has denied it."""
    denials = seen.taught_blocks.filter(is_change=False)
    if not denials.exists():
        raise WatchRefused("change", "Nobody has said that this was no change.")
    with transaction.atomic():
        denials.delete()
        turn(seen, PageState.SAME, PageState.CHANGED)


def turn(seen: Observation, before: PageState, after: PageState) -> bool:
    """Gives an observation another state, with its page and the counts of its visit; False if
    somebody else was first."""
    if not Observation.objects.filter(pk=seen.pk, state=before).update(state=after):
        return False
    WatchedPage.objects.filter(pk=seen.page_id, state_visit=seen.visit_id).update(state=after)
    WatchVisit.objects.filter(pk=seen.visit_id).update(
        **{f"{before.value}_pages": F(f"{before.value}_pages") - 1},
        **{f"{after.value}_pages": F(f"{after.value}_pages") + 1},
    )
    seen.refresh_from_db()
    return True


def rule_of(
    passage: Passage, seen: Observation, by: User, now: datetime, is_change: bool = False
) -> TaughtBlock:
    """The rule learned from a passage of an observation, not saved: blocks like it are ignored, or
    with `is_change` count."""
    old, new = block_keys(passage.before), block_keys(passage.after)
    begins = _common(old, new)
    ends = _common(old[len(begins) :][::-1], new[len(begins) :][::-1])[::-1]
    is_short = max(len(old), len(new)) <= SHORT_BLOCK and len(begins) + len(ends) != 1
    return TaughtBlock(
        watch_id=seen.page.watch_id,
        observation=seen,
        host=seen.page.host,
        page=None if is_short else seen.page,
        begins=begins,
        ends=ends,
        whole=[] if begins or ends else new or old,
        is_change=is_change,
        by=by,
        at=now,
    )


def _common(one: Keys, other: Keys) -> Keys:
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return [key for key, _ in pairs]
