"""Annotation settings of a topic, agreed on by those who label its pages, and each person's own."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from apps.topics.models.topic import Topic


class Guideline(models.Model):
    """A version of the note of what is in and what is out. It never changes: a further version
    replaces it."""

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="guidelines")
    version = models.PositiveIntegerField()
    text = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["version"]
        constraints = [
            models.UniqueConstraint(fields=["topic", "version"], name="guideline_once_a_version")
        ]


class Annotator(models.Model):
    """A person who labels a topic's pages. `hides_others`: until they have labelled a page they do
    not see how others did. `guideline_read` is the version of the note that they have read, 0 for
    none."""

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="annotators")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    hides_others = models.BooleanField(default=True)
    guideline_read = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["topic", "person"], name="annotator_once_a_topic")
        ]
