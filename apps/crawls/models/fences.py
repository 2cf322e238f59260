"""Hosts that later crawls must not ask."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class HostFence(models.Model):
    """A host, with its sub-domains, that crawls of a topic do not ask, or of any topic without
    one."""

    host = models.CharField(max_length=255)
    topic = models.ForeignKey("topics.Topic", models.CASCADE, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["host"]
        constraints = [
            models.UniqueConstraint(fields=["topic", "host"], name="host_fenced_once"),
            models.UniqueConstraint(
                fields=["host"], condition=Q(topic=None), name="host_fenced_everywhere_once"
            ),
        ]

    def __str__(self) -> str:
        return self.host


def fenced_hosts(topic_id: int) -> list[str]:
    """The hosts that crawls of a topic do not ask."""
    rows = HostFence.objects.filter(Q(topic=topic_id) | Q(topic=None))
    return sorted(set(rows.values_list("host", flat=True)))
