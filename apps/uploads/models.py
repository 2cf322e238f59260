"""Large files that a person has uploaded, and what became of them."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from apps.jobs.models import Job


class Upload(Job):
    """A file that the background makes a recorded web or a directory of.

    `leave_out_bad` asks for lines that are no page to be left out; without it `bad_line` is the
    line that ended the reading, and the file is kept so that it can be read without such lines.
    `name` is what that shall be called; the file lies in a folder of its own and goes once it has
    been read. `read` of `size` bytes are read so far. `report` counts what was made and what was
    left out: `{"made": {what: n}, "skipped": {reason: n}, "first": [[line, reason, text]]}`.
    """

    job_task = "apps.uploads.services.read_upload"
    job_alone = True

    class Kind(models.TextChoices):
        WEB = "web"
        DIRECTORY = "directory"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="uploads")
    kind = models.CharField(max_length=9, choices=Kind.choices)
    name = models.CharField(max_length=200)
    file_name = models.CharField(max_length=200)
    leave_out_bad = models.BooleanField(default=False)
    bad_line = models.PositiveIntegerField(null=True)
    redirects_name = models.CharField(max_length=200, blank=True)
    folder = models.CharField(max_length=64)
    size = models.BigIntegerField()
    read = models.BigIntegerField(default=0)
    report = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["owner", "kind"], name="upload_by_owner")]

    def __str__(self) -> str:
        return self.name

    @property
    def share_read(self) -> float:
        """How much of the file has been read, 0–1."""
        return min(1.0, self.read / self.size) if self.size else 0.0
