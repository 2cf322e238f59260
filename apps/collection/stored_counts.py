"""Counts of a topic's entries, stored until the entries change.

Every transaction that changes entries gives their topic a new mark (`drop_counts`), which is seen
together with what has changed. A count is stored by the mark that was read before it: if the
entries change in between, nobody who reads the new mark gets it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from secrets import randbits
from typing import TypeVar

from django.core.cache import caches

from apps.collection.models import EntryMark

COUNTS = "counts"
"""The cache of this process."""
MARK_BITS = 62

Count = TypeVar("Count")


def drop_counts(topics: Iterable[int]) -> None:
    """Drops what was counted of these topics' entries; call it in the transaction that changes
    them, before it does: two that take the same rows in different orders would deadlock."""
    EntryMark.objects.bulk_create(
        [EntryMark(topic_id=topic, mark=randbits(MARK_BITS)) for topic in sorted(topics)],
        update_conflicts=True,
        unique_fields=["topic"],
        update_fields=["mark"],
    )


def stored_count(topic: int, question: object, count: Callable[[], Count]) -> Count:
    """The answer of `count`, which reads nothing but entries of the topic, to a question that its
    `repr` identifies."""
    return stored_counts({topic: question}, lambda _: {topic: count()})[topic]


def stored_counts(
    questions: Mapping[int, object], count: Callable[[Sequence[int]], Mapping[int, Count]]
) -> dict[int, Count]:
    """The same for several topics, by key; `count` is called with those of which no answer is
    stored. Of a topic without a mark none is."""
    marks = dict(EntryMark.objects.filter(topic__in=questions).values_list("topic_id", "mark"))
    keys = {topic: _key(topic, mark, questions[topic]) for topic, mark in marks.items()}
    stored = caches[COUNTS].get_many(keys.values())
    counts = {topic: stored[key] for topic, key in keys.items() if key in stored}
    if missing := [topic for topic in questions if topic not in counts]:
        counted = count(missing)
        caches[COUNTS].set_many({keys[topic]: counted[topic] for topic in missing if topic in keys})
        counts.update(counted)
    return counts


def _key(topic: int, mark: int, question: object) -> str:
    return f"{topic}:{mark}:{sha256(repr(question).encode()).hexdigest()}"
