"""Uploads: large files and their import."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from apps.jobs.models import Job
from apps.webs.models import Web

# No pace can be computed before that.
LEAST_SHARE = 0.01
LEAST_SECONDS = 2.0


class Upload(Job):
    """A file from which the background makes a recorded web or a directory, called `name`, or that
    has labels for the pages of `web`.

    `leave_out_bad` skips lines that are not pages. Otherwise the first such line ends the import:
    it is stored in `bad_line`, and the file stays so that it can be imported without such lines.
    The file has its own folder and is deleted after the import. `read` of `size` bytes are read so
    far, with `pages` in them, by an import that began at `began_at`. `report` counts what was made
    and what was skipped: `{"made": {what: n}, "skipped": {reason: n}, "first": [[line, reason,
    text]]}`; of a list of labels also the `files` of added labels before and after it. Such a list
    is told of after its import, too, until it is `dismissed`.
    """

    job_task = "apps.uploads.services.read_upload"
    job_alone = True

    class Kind(models.TextChoices):
        WEB = "web"
        DIRECTORY = "directory"
        LABELS = "labels"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="uploads")
    kind = models.CharField(max_length=9, choices=Kind.choices)
    name = models.CharField(max_length=200)
    web = models.ForeignKey(Web, models.SET_NULL, null=True, related_name="label_lists")
    dismissed = models.BooleanField(default=False)
    file_name = models.CharField(max_length=200)
    leave_out_bad = models.BooleanField(default=False)
    bad_line = models.PositiveIntegerField(null=True)
    redirects_name = models.CharField(max_length=200, blank=True)
    folder = models.CharField(max_length=64)
    size = models.BigIntegerField()
    read = models.BigIntegerField(default=0)
    pages = models.PositiveIntegerField(default=0)
    began_at = models.DateTimeField(null=True)
    report = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["owner", "kind"], name="upload_by_owner")]

    def __str__(self) -> str:
        return self.name

    @property
    def can_be_taken_back(self) -> bool:
        """Whether it is a list of labels that was added, and it is known which labels were."""
        return self.kind == self.Kind.LABELS and "files" in self.report

    @property
    def left_out(self) -> int:
        """How many entries of the file were skipped."""
        return sum(self.report.get("skipped", {}).values())

    @property
    def share_read(self) -> float:
        """The share of the file that has been read, 0–1."""
        return min(1.0, self.read / self.size) if self.size else 0.0

    @property
    def seconds_left(self) -> float | None:
        """How long the rest will take at the pace so far; None in the first seconds."""
        if self.began_at is None or self.share_read < LEAST_SHARE:
            return None
        passed = (timezone.now() - self.began_at).total_seconds()
        return passed * (1 / self.share_read - 1) if passed > LEAST_SECONDS else None
