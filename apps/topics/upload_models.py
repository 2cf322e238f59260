"""Large files that a person has uploaded, and what became of them."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Upload(models.Model):
    """A file that the background makes a recorded web or a directory of.

    `name` is what that shall be called; the file lies in a folder of its own and goes once it has
    been read. `read` of `size` bytes are read so far, `touched_at` is when a worker last got
    somewhere with it. `problem` says why nothing was made of it. `report` counts what was made and
    what was left out: `{"made": {what: n}, "skipped": {reason: n}, "first": [[line, reason,
    text]]}`.
    """

    class Kind(models.TextChoices):
        WEB = "web"
        DIRECTORY = "directory"

    class State(models.TextChoices):
        WAITING = "waiting"
        READING = "reading"
        DONE = "done"
        BAD = "bad"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="uploads")
    kind = models.CharField(max_length=9, choices=Kind.choices)
    name = models.CharField(max_length=200)
    file_name = models.CharField(max_length=200)
    redirects_name = models.CharField(max_length=200, blank=True)
    folder = models.CharField(max_length=64)
    size = models.BigIntegerField()
    read = models.BigIntegerField(default=0)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    problem = models.TextField(blank=True)
    report = models.JSONField(default=dict, blank=True)
    asked_at = models.DateTimeField(auto_now_add=True)
    touched_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["owner", "kind"], name="upload_by_owner")]

    def __str__(self) -> str:
        return self.name

    @property
    def is_under_way(self) -> bool:
        """Whether the background has still to do with it."""
        return self.state in (self.State.WAITING, self.State.READING)

    @property
    def share_read(self) -> float:
        """How much of the file has been read, 0–1."""
        return min(1.0, self.read / self.size) if self.size else 0.0
