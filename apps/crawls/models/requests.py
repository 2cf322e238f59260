"""The requests of a crawl besides those of pages and failures, and its copies of robots.txt."""

from __future__ import annotations

from django.db import models

from apps.crawls.models.crawl import Crawl
from apps.engine.codes import SentFor


class HostRequest(models.Model):
    """A request that neither a page nor a failed request stands for: for a robots.txt, or one of a
    fetch that took several. `size` is that of the body in bytes, as it was sent; without an answer
    `status` is None and `failure` says why."""

    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="host_requests")
    host = models.CharField(max_length=255)
    url = models.TextField()
    at = models.DateTimeField()
    purpose = models.CharField(max_length=9, choices=[(p.value, p.value) for p in SentFor])
    status = models.PositiveSmallIntegerField(null=True)
    failure = models.CharField(max_length=40, blank=True)
    size = models.PositiveBigIntegerField(default=0)
    retry_after = models.FloatField(null=True)

    class Meta:
        ordering = ["at", "id"]
        indexes = [models.Index(fields=["crawl", "host"], name="host_request_by_host")]

    def __str__(self) -> str:
        return self.url


class RobotsVersion(models.Model):
    """A robots.txt as one crawl has read it `reads` times, from `first_at` until `last_at`.

    `text` is zlib-compressed and has the first 100 KiB of `size` bytes; `digest` is that of all
    that was read, empty without a text. A new row is made when the answer changes.
    """

    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="robots_versions")
    host = models.CharField(max_length=255)
    origin = models.CharField(max_length=300)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()
    reads = models.PositiveIntegerField(default=1)
    status = models.PositiveSmallIntegerField(null=True)
    failure = models.CharField(max_length=40, blank=True)
    digest = models.CharField(max_length=64, blank=True)
    size = models.PositiveIntegerField(default=0)
    text = models.BinaryField()

    class Meta:
        ordering = ["first_at", "id"]
        indexes = [models.Index(fields=["crawl", "host"], name="robots_version_by_host")]

    def __str__(self) -> str:
        return f"{self.origin}/robots.txt"
