"""Lists of numbers by URL or host that an analyst adds to a topic."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from apps.jobs.models import Job
from apps.topics.models.topic import Topic


class InlinkCount(models.Model):
    """How many pages link to a URL, according to the analyst's list."""

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="inlink_counts")
    url = models.TextField()
    count = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["topic", "url"], name="inlinks_once_a_url")]


class InputTable(Job):
    """An external list, read into a table on the disk.

    `kind` is the id of a list in `topics.inputs.catalogue`. Without a topic it applies to all
    topics of its owner. `name` is the name of the list, `file` the table in the tables' folder,
    `rows` its size. `skipped` counts the lines not accepted and `errors` keeps the first of them,
    as `[line, text, reason]`. The job is to read it; if that fails, the previous list stays in use.
    """

    job_task = "apps.topics.tasks.read_list"

    class Kind(models.TextChoices):
        INLINKS = "inlinks"
        RANKS = "ranks"
        TRAFFIC = "traffic"
        SITES = "sites"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tables")
    topic = models.ForeignKey(Topic, models.CASCADE, null=True, related_name="tables")
    kind = models.CharField(max_length=20)
    name = models.CharField(max_length=200)
    file = models.CharField(max_length=200)
    rows = models.PositiveIntegerField(default=0)
    skipped = models.PositiveIntegerField(default=0)
    errors = models.JSONField(default=list, blank=True)
    added_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["owner", "kind"], name="table_by_owner")]

    def __str__(self) -> str:
        return self.name
