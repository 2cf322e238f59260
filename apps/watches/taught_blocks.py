"""Applies people's corrections to a difference: blocks like those of denied changes are ignored,
and blocks like those of claimed changes count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.db.models import Q

from apps.watches.models import TaughtBlock, WatchedPage
from apps.watches.text_changes.differences import (
    Difference,
    Edit,
    Passage,
    count_passage,
    count_words,
)
from apps.watches.text_changes.passing_values import Noise, keyed, read_words

Keys = list[str]


def taught_for(page: WatchedPage) -> Sequence[TaughtBlock]:
    """The corrections for a page and for its host, earliest first."""
    rows = TaughtBlock.objects.filter(watch=page.watch_id, host=page.host)
    return list(rows.filter(Q(page=None) | Q(page=page)))


def apply_taught(difference: Difference, taught: Sequence[TaughtBlock]) -> Difference:
    """The difference in which blocks like those of denied changes are passed over, and those like
    the ones of claimed changes count."""
    if not taught:
        return difference
    passages = tuple(_apply(passage, taught) for passage in difference.passages)
    counted = [passage for passage in passages if passage.counts]
    words = {"words_in": count_words(counted, Edit.IN), "words_out": count_words(counted, Edit.OUT)}
    return replace(difference, passages=passages, **words)


def is_claimed(passage: Passage, taught: Sequence[TaughtBlock]) -> bool:
    """Whether blocks like it were taught to be a change."""
    rule = _latest_rule(passage, taught)
    return rule is not None and rule.is_change


def _apply(passage: Passage, taught: Sequence[TaughtBlock]) -> Passage:
    if not (passage.counts or passage.edit is Edit.PASSED):
        return passage
    rule = _latest_rule(passage, taught)
    if rule is None or rule.is_change == passage.counts:
        return passage
    if rule.is_change:
        return count_passage(passage)
    return replace(passage, edit=Edit.PASSED, noise=Noise.TAUGHT)


def _latest_rule(passage: Passage, taught: Sequence[TaughtBlock]) -> TaughtBlock | None:
    return next((rule for rule in reversed(taught) if _is_like(passage, rule)), None)


def _is_like(passage: Passage, rule: TaughtBlock) -> bool:
    return all(_fits(block_keys(text), rule) for text in (passage.before, passage.after) if text)


def _fits(keys: Keys, rule: TaughtBlock) -> bool:
    if rule.whole:
        return bool(keys == rule.whole)
    begins: Keys = rule.begins
    ends: Keys = rule.ends
    if len(keys) < len(begins) + len(ends):
        return False
    return keys[: len(begins)] == begins and keys[len(keys) - len(ends) :] == ends


def block_keys(text: str) -> Keys:
    """The words of a block; passing values are words like others here."""
    return [word.text.casefold() for word in keyed(read_words(text))]
