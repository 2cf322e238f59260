"""The pages that everybody who labels a topic is asked to label."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from apps.crawls.models import Crawl
from apps.topics.models import Topic


class LabelRequest(models.Model):
    """A page that all who may label a topic are asked to label, whether anybody has or not.

    `address` is the digest of the address that answered; `seq` is its number in the crawl, where
    the label goes.
    """

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="+", db_index=False)
    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="+")
    seq = models.PositiveIntegerField()
    address = models.BigIntegerField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["topic", "address"], name="label_asked_for_once")
        ]
