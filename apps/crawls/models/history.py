"""The history of a crawl: its samples, its events, and the changes people asked for."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from apps.crawls.models.crawl import Crawl


class Sample(models.Model):
    """The measures after `pages` pages. `seq` numbers the samples of a crawl without gaps."""

    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="samples")
    seq = models.PositiveIntegerField()
    pages = models.PositiveIntegerField()
    at = models.DateTimeField()
    metrics = models.JSONField()

    class Meta:
        ordering = ["seq"]
        constraints = [models.UniqueConstraint(fields=["crawl", "seq"], name="sample_once_a_crawl")]


class Event(models.Model):
    """An event of a crawl after request `request`; a replay repeats it at that number."""

    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    request = models.PositiveIntegerField()
    pages = models.PositiveIntegerField()
    kind = models.CharField(max_length=30)
    payload = models.JSONField(default=dict)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["seq"]
        constraints = [models.UniqueConstraint(fields=["crawl", "seq"], name="event_once_a_crawl")]


class Change(models.Model):
    """A change that a person asked for; the crawl's runner applies it at the next commit."""

    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="changes")
    kind = models.CharField(max_length=30)
    payload = models.JSONField(default=dict)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
    asked_at = models.DateTimeField(auto_now_add=True)
    applied = models.BooleanField(default=False)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["crawl", "applied"], name="change_by_crawl")]
