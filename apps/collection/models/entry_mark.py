"""By what counts of a topic's entries are stored."""

from __future__ import annotations

from django.db import models

from apps.topics.models import Topic


class EntryMark(models.Model):
    """A number that is another one after every change of a topic's entries.

    No constraint ties it to its topic, which may be deleted while a change is under way.
    """

    topic = models.OneToOneField(
        Topic, models.CASCADE, primary_key=True, related_name="+", db_constraint=False
    )
    mark = models.BigIntegerField()
