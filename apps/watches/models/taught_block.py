"""Blocks of text that people have marked as no change, or as one."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from apps.watches.models.pages import Observation, WatchedPage
from apps.watches.models.watch import Watch


class TaughtBlock(models.Model):
    """A block that is no change, or with `is_change` one that is, as a person has taught at an
    observation. Where several are like a block, the latest counts.

    Blocks that begin with the words of `begins` and end with those of `ends` are passed over (or
    count), or if both are empty those whose words are `whole`: on all pages of `host`, or on `page`
    alone if that is given.
    """

    watch = models.ForeignKey(Watch, models.CASCADE, related_name="taught_blocks")
    observation = models.ForeignKey(Observation, models.CASCADE, related_name="taught_blocks")
    is_change = models.BooleanField(default=False, db_default=False)
    host = models.CharField(max_length=255)
    page = models.ForeignKey(WatchedPage, models.CASCADE, null=True, related_name="+")
    begins = models.JSONField(default=list)
    ends = models.JSONField(default=list)
    whole = models.JSONField(default=list)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["watch", "host"], name="taught_noise_by_host")]

    def __str__(self) -> str:
        return " ".join(self.whole or [*self.begins, "…", *self.ends])
