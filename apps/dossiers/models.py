"""Hosts whose pages were taken down."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from apps.jobs.models import Job
from apps.topics.models import Topic


class TakeDown(Job):
    """The pages of a host, hidden at `at` in the topics whose numbers are in `topics`, or with
    `everywhere` in all. They are erased at `erase_at`, unless an administrator undoes it before.

    `pages` and `versions` are how many there were when it was asked for. What was hidden stays
    hidden until it is `undone_at` or `erased_at`. Nothing of the content is in this row.
    """

    job_task = "apps.dossiers.taking_down.carry_out"

    host = models.CharField(max_length=255)
    everywhere = models.BooleanField(default=False)
    topics = models.JSONField(default=list)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()
    pages = models.PositiveIntegerField(default=0)
    versions = models.PositiveIntegerField(default=0)
    erase_at = models.DateTimeField()
    erased_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    undone_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["host"], name="taken_down_by_host")]

    def __str__(self) -> str:
        return self.host

    @property
    def can_be_undone(self) -> bool:
        """Whether the pages are still there."""
        return self.undone_at is None and self.erased_at is None

    @property
    def concerned_topics(self) -> models.QuerySet[Topic]:
        """The topics in which the pages are hidden."""
        return Topic.objects.all() if self.everywhere else Topic.objects.filter(pk__in=self.topics)

    def concerns(self, topic: int) -> bool:
        """Whether the pages are hidden in the topic of that number."""
        return self.everywhere or topic in self.topics


class WithheldVersion(models.Model):
    """The content of a version of a watched page, whose row is empty until the taking down is
    undone."""

    take_down = models.ForeignKey(TakeDown, models.CASCADE, related_name="withheld")
    version = models.OneToOneField("watches.PageVersion", models.CASCADE, related_name="+")
    title = models.TextField(blank=True)
    blocks = models.BinaryField()

    def __str__(self) -> str:
        return f"version {self.version_id}"


class WithheldInput(models.Model):
    """The content of an input of a topic, or of a candidate page, whose row is empty until the
    taking down is undone: compressed JSON of the fields, empty once it is erased. `kind` is the
    name of the row's model, `key` its key."""

    take_down = models.ForeignKey(TakeDown, models.CASCADE, related_name="withheld_inputs")
    kind = models.CharField(max_length=40)
    key = models.BigIntegerField()
    content = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="withheld_input_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
