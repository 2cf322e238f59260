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


class Fence:
    """The hosts that crawls of a topic do not ask, with their sub-domains."""

    def __init__(self, topic_id: int) -> None:
        self._hosts = frozenset(fenced_hosts(topic_id))

    def has(self, name: str) -> bool:
        """Whether a host, the part of one that is a user's, or all of a domain is behind it."""
        rest = name.partition("/")[0].removeprefix("*.")
        while rest and self._hosts:
            if rest in self._hosts:
                return True
            rest = rest.partition(".")[2]
        return False
