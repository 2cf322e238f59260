"""Marks which pages of a collection are examples of the topic or labelled.

Both are read from the topic's examples: a label is an example of source `label`.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models import QuerySet

from apps.collection.models import Entry, Progress
from apps.collection.stored_counts import drop_counts
from apps.crawls.models import Crawl
from apps.engine.digests import digest
from apps.topics.lock import lock_topic
from apps.topics.models import Example, Topic


def mark_anew(topic: Topic) -> None:
    """Marks every page of the topic anew; call it when examples or labels change."""
    with transaction.atomic():
        lock_topic(topic.pk)
        drop_counts([topic.pk])
        entries = Entry.objects.filter(topic=topic)
        entries.filter(example=True).update(example=False)
        entries.exclude(label=None).update(label=None)
        _mark(topic, entries)
        Progress.objects.filter(crawl__topic=topic).update(marked=topic.version)


def mark_where_changed(topic: Topic) -> None:
    """Marks every page anew if the topic has changed since the last time."""
    behind = Progress.objects.filter(crawl__topic=topic).exclude(marked=topic.version)
    if behind.exists():
        mark_anew(topic)


def mark_new(crawl: Crawl, after: int) -> None:
    """Marks the pages of a crawl after page `after`."""
    _mark(crawl.topic, Entry.objects.filter(topic=crawl.topic_id, crawl=crawl, seq__gt=after))


def _mark(topic: Topic, entries: QuerySet[Entry]) -> None:
    named = topic.examples.filter(source=Example.Source.NAMED)
    entries.filter(address__in=_digests(named)).update(example=True)
    labelled = topic.examples.filter(source=Example.Source.LABEL)
    for relevant in (True, False):
        wanted = _digests(labelled.filter(relevant=relevant))
        entries.filter(address__in=wanted).update(label=relevant)


def _digests(examples: Iterable[Example]) -> list[int]:
    return list({digest(url) for e in examples for url in (e.url, e.final_url) if url})
