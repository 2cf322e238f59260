"""Opt-outs declared in files of sites, by topic and host."""

from __future__ import annotations

from django.db import models


class SiteFile(models.Model):
    """The last reading of a file in which a site may reserve uses, by a crawl of the topic.

    `path` is that of the file, `status` the status code of the answer, 0 without one.
    """

    topic = models.ForeignKey("topics.Topic", models.CASCADE, related_name="site_files")
    origin = models.CharField(max_length=300)
    host = models.CharField(max_length=255)
    path = models.CharField(max_length=40)
    read_at = models.DateTimeField()
    status = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["origin", "path"]
        constraints = [
            models.UniqueConstraint(fields=["topic", "origin", "path"], name="site_file_once")
        ]
        indexes = [
            models.Index(fields=["origin", "read_at"], name="site_file_by_origin"),
            models.Index(fields=["topic", "host"], name="site_file_by_host"),
        ]


class SiteOptOut(models.Model):
    """A sign of an opt-out in a file of a site (`engine.events.SiteSign`), since it was first read
    there; `ended_at` is the first reading without it."""

    topic = models.ForeignKey("topics.Topic", models.CASCADE, related_name="site_opt_outs")
    origin = models.CharField(max_length=300)
    host = models.CharField(max_length=255)
    path = models.CharField(max_length=40)
    form = models.CharField(max_length=20)
    text = models.TextField()
    reserves = models.BooleanField()
    rules = models.TextField(blank=True)
    since = models.DateTimeField()
    read_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["topic", "host"], name="site_opt_out_by_host")]


class SiteFileClaim(models.Model):
    """Which file of a site a crawl of any topic has begun to ask for, and when: no other asks for
    it within a day."""

    origin = models.CharField(max_length=300)
    path = models.CharField(max_length=40)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["origin", "path"], name="site_file_claimed_once")
        ]
