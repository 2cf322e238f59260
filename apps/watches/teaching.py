"""A person denies a change: it is no news any more, and blocks like those that differed
are passed over from then on. A short block, as a stamp or a counter is, counts for its host, prose
for its page alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import takewhile

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q

from apps.watches.changes import compare_versions, previous_versions
from apps.watches.errors import WatchRefused
from apps.watches.models import Observation, PageState, TaughtNoise, WatchedPage, WatchVisit
from apps.watches.text_changes.differences import Difference, Edit, Passage, count_words
from apps.watches.text_changes.noise_rules import SHORT_BLOCK
from apps.watches.text_changes.passing_values import Noise, keyed, read_words

Keys = list[str]


def deny_change(seen: Observation, by: User, now: datetime) -> None:
    """This was no change. Raises WatchRefused if the observation is of none."""
    version = seen.version
    before = previous_versions([version]).get(version.pk) if version else None
    if seen.state != PageState.CHANGED or version is None or before is None:
        raise WatchRefused("change", "Only a page that has changed can be said not to have.")
    passages = [p for p in compare_versions(before, version).passages if p.counts]
    rows = [_rule_of(passage, seen, by, now) for passage in passages]
    with transaction.atomic():
        if _turn(seen, PageState.CHANGED, PageState.SAME):
            TaughtNoise.objects.bulk_create(rows)


def affirm_change(seen: Observation) -> None:
    """This was a change after all: takes back that it was none, and what that has taught. Raises
    WatchRefused if nobody has denied it."""
    if not seen.taught_noise.exists():
        raise WatchRefused("change", "Nobody has said that this was no change.")
    with transaction.atomic():
        seen.taught_noise.all().delete()
        _turn(seen, PageState.SAME, PageState.CHANGED)


def _turn(seen: Observation, before: PageState, after: PageState) -> bool:
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


def _rule_of(passage: Passage, seen: Observation, by: User, now: datetime) -> TaughtNoise:
    old, new = _keys(passage.before), _keys(passage.after)
    begins = _common(old, new)
    ends = _common(old[len(begins) :][::-1], new[len(begins) :][::-1])[::-1]
    is_short = max(len(old), len(new)) <= SHORT_BLOCK and len(begins) + len(ends) != 1
    return TaughtNoise(
        watch_id=seen.page.watch_id,
        observation=seen,
        host=seen.page.host,
        page=None if is_short else seen.page,
        begins=begins,
        ends=ends,
        whole=[] if begins or ends else new or old,
        by=by,
        at=now,
    )


def _common(one: Keys, other: Keys) -> Keys:
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return [key for key, _ in pairs]


def _keys(text: str) -> Keys:
    """The words of a block; passing values are words like others here."""
    return [word.text.casefold() for word in keyed(read_words(text))]


# What has been taught is passed over --------------------------------------------------------------


def taught_for(page: WatchedPage) -> Sequence[TaughtNoise]:
    """What has been taught of a page and of its host."""
    rows = TaughtNoise.objects.filter(watch=page.watch_id, host=page.host)
    return list(rows.filter(Q(page=None) | Q(page=page)))


def without_taught(difference: Difference, taught: Sequence[TaughtNoise]) -> Difference:
    """The difference in which blocks like those of denied changes are passed over."""
    if not taught or not difference.is_change:
        return difference
    passages = tuple(
        replace(passage, edit=Edit.PASSED, noise=Noise.TAUGHT)
        if passage.counts and any(_is_like(passage, rule) for rule in taught)
        else passage
        for passage in difference.passages
    )
    counted = [passage for passage in passages if passage.counts]
    words = {"words_in": count_words(counted, Edit.IN), "words_out": count_words(counted, Edit.OUT)}
    return replace(difference, passages=passages, **words)


def _is_like(passage: Passage, rule: TaughtNoise) -> bool:
    return all(_fits(_keys(text), rule) for text in (passage.before, passage.after) if text)


def _fits(keys: Keys, rule: TaughtNoise) -> bool:
    if rule.whole:
        return bool(keys == rule.whole)
    begins: Keys = rule.begins
    ends: Keys = rule.ends
    if len(keys) < len(begins) + len(ends):
        return False
    return keys[: len(begins)] == begins and keys[len(keys) - len(ends) :] == ends
