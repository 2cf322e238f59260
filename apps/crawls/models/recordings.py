"""Recorded webs in the making."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from apps.jobs.models import Job


class Recording(Job):
    """The job that makes a recorded web, called `name`, of the pages of `crawls` (their numbers).

    Pages that a crawl's judge calls relevant have `label`, unless it is empty. `done` of `pages`
    are read so far. `rerun`, if not None, says how the one crawl is run again on the web once that
    is made: `{"topic_now": bool, "start": bool, "form_token": str}`.
    """

    job_task = "apps.crawls.pages.recording.record"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="recordings")
    name = models.CharField(max_length=100)
    crawls = models.JSONField()
    label = models.CharField(max_length=40, blank=True)
    pages = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    rerun = models.JSONField(null=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.name

    @property
    def share_done(self) -> float:
        """The share of the pages that has been read, 0–1."""
        return min(1.0, self.done / self.pages) if self.pages else 0.0
