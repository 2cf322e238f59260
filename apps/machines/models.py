"""Facts about the site for machines that share its database but not its disk."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models


def new_key() -> str:
    """A key of 32 random bytes, hexadecimal."""
    return secrets.token_hex(32)


class Site(models.Model):
    """The one row of the site: the version of its code, and the key that signs what coordinators
    and agents write into Redis."""

    code = models.CharField(max_length=20, blank=True)
    key = models.CharField(max_length=64, default=new_key)


class Workers(models.Model):
    """The crawl workers of one machine, as its supervisor speaks of them.

    `system` is where their processes live (`jobs.process.this_system`), `room` how many crawls they
    run at once. Drained ones begin no crawl and hand on those that they run.
    """

    system = models.CharField(max_length=60, primary_key=True)
    machine = models.CharField(max_length=255)
    room = models.PositiveSmallIntegerField()
    alive_at = models.DateTimeField()
    drained = models.BooleanField(default=False)
    silence_reported = models.BooleanField(default=False)

    class Meta:
        ordering = ["machine", "system"]

    def __str__(self) -> str:
        return self.machine


class MachineEvent(models.Model):
    """An event of a machine; its kinds and their payloads are in `machines.events`."""

    at = models.DateTimeField()
    kind = models.CharField(max_length=30)
    machine = models.CharField(max_length=255)
    payload = models.JSONField(default=dict)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.kind} {self.machine}"
