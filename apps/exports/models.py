"""Downloads too large to be made in a request."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from apps.jobs.models import Job

CRAWL, TOPIC = "crawl", "topic"
LEAST_SECONDS = 2.0
"""No pace can be computed before that."""


class StoredDownload(Job):
    """A file that the background makes for one person, stored until `expires_at`.

    It holds the search `query` of the crawl or topic (`scope`) with the key `key`, in `format`. It
    has about `rows` rows, of which `written` are done by an attempt that began at `began_at`.
    `folder` is the one it is written to, `size` its bytes once it is complete.
    """

    job_task = "apps.exports.stored.write_download"
    job_alone = True

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    scope = models.CharField(max_length=5, choices=[(CRAWL, CRAWL), (TOPIC, TOPIC)])
    key = models.PositiveBigIntegerField()
    query = models.TextField(blank=True)
    format = models.CharField(max_length=20)
    file_name = models.CharField(max_length=200)
    folder = models.CharField(max_length=64, blank=True)
    rows = models.PositiveIntegerField()
    written = models.PositiveIntegerField(default=0)
    size = models.BigIntegerField(null=True)
    began_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["owner"], name="download_by_owner")]

    def __str__(self) -> str:
        return self.file_name

    @property
    def share_written(self) -> float:
        """The share of the rows that is written, 0–1."""
        return min(1.0, self.written / self.rows) if self.rows else 0.0

    @property
    def seconds_left(self) -> float | None:
        """How long the rest will take at the pace so far; None in the first seconds."""
        if self.began_at is None or not self.share_written:
            return None
        passed = (timezone.now() - self.began_at).total_seconds()
        return passed * (1 / self.share_written - 1) if passed > LEAST_SECONDS else None
