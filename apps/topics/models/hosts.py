"""A topic's decisions on hosts, and who took them."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from apps.topics.models.topic import Topic


class HostDecision(models.Model):
    """A host that is in or out; hosts without a row are undecided.

    `name` is a host, `*.` before a domain with all of its hosts, or a host with the beginning of
    its addresses, as in `site.example/~name` (`engine.frontier.host_decisions`).
    """

    IN, OUT = "in", "out"

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="host_decisions")
    name = models.CharField(max_length=400)
    state = models.CharField(max_length=3, choices=[(IN, IN), (OUT, OUT)])
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["topic", "name"], name="host_decided_once_a_topic")
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.state}"


class HostAct(models.Model):
    """One decision of a person on hosts, which moved them `to` a state (empty: undecided).

    `before` has what held for each of them, as [name, state, key of the person, time], the last
    three empty for an undecided one. `waiting` counts the links that waited there.
    """

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="host_acts")
    to = models.CharField(max_length=3, blank=True)
    before = models.JSONField()
    waiting = models.PositiveIntegerField(default=0)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{len(self.before)} hosts {self.to or 'undecided'}"

    @property
    def names(self) -> list[str]:
        """The names of the hosts."""
        return [row[0] for row in self.before]
