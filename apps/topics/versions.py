"""The version of a topic: it grows with every change that affects a crawl."""

from __future__ import annotations

from django.db.models import F

from apps.topics.models import Topic


def new_version(topic: Topic, same_examples: bool = False) -> None:
    """Raises the topic's version: later crawls take another snapshot.

    With `same_examples` the measured quality stays valid.
    """
    changes = {"version": F("version") + 1}
    current = Topic.objects.filter(pk=topic.pk)
    if same_examples:
        current.filter(quality_version=F("version")).update(
            quality_version=F("quality_version") + 1, **changes
        ) or current.update(**changes)
    else:
        current.update(**changes)
    topic.refresh_from_db(fields=["version", "quality_version"])
