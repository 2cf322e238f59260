"""URLs, links and hosts that a crawl has discovered."""

from __future__ import annotations

from django.db import models

from apps.crawls.models.crawl import Crawl


class FrontierEntry(models.Model):
    """A discovered URL. Inserted once; only `state` and `reason` change.

    `reason` is an `engine.codes.Exclusion` of an excluded URL, the kind of its last failure of one
    that failed.

    `priority` is the one at insertion: the current one is in the checkpoint and, for the head of
    the frontier, in `Crawl.queue_head`.
    """

    class State(models.TextChoices):
        WAITING = "w"
        FETCHED = "f"
        FAILED = "e"
        EXCLUDED = "x"

    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="frontier")
    number = models.PositiveIntegerField()
    url = models.TextField()
    parent = models.BigIntegerField()
    depth = models.PositiveIntegerField()
    priority = models.FloatField()
    state = models.CharField(max_length=1, choices=State.choices)
    reason = models.CharField(max_length=24, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["crawl", "number"], name="entry_once_a_crawl")
        ]
        indexes = [
            models.Index(
                "crawl",
                "state",
                "reason",
                models.F("priority").desc(),
                "number",
                condition=models.Q(state__in=["e", "x"]),
                name="entry_left_out",
            )
        ]


class Outlinks(models.Model):
    """The links of one page: `targets` are URL numbers (int32), zlib-compressed."""

    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="outlinks")
    seq = models.PositiveIntegerField()
    format = models.PositiveSmallIntegerField(default=1)
    targets = models.BinaryField()

    class Meta:
        ordering = ["seq"]
        constraints = [
            models.UniqueConstraint(fields=["crawl", "seq"], name="outlinks_once_a_page")
        ]


class HostRecord(models.Model):
    """A host of a crawl. `next_allowed` is wall-clock time; `needs_javascript` counts its pages
    without a text as long as no script runs."""

    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="hosts")
    host = models.CharField(max_length=255)
    pages = models.PositiveIntegerField(default=0)
    relevant = models.PositiveIntegerField(default=0)
    waiting = models.PositiveIntegerField(default=0)
    needs_javascript = models.PositiveIntegerField(default=0, db_default=0)
    failures = models.PositiveIntegerField(default=0)
    errors = models.JSONField(default=dict)
    delay = models.FloatField(default=0)
    next_allowed = models.DateTimeField(null=True)
    blocked = models.CharField(max_length=40, blank=True)
    excluded = models.BooleanField(default=False)

    class Meta:
        ordering = ["-pages"]
        constraints = [models.UniqueConstraint(fields=["crawl", "host"], name="host_once_a_crawl")]

    def count_judged(self, crawl: Crawl) -> int:
        """How many of its pages the judges of its `crawl` have judged: those with a text."""
        if crawl.judged_by == "none":
            return 0
        return max(0, self.pages - self.needs_javascript)
