"""The base of models whose rows are background jobs, and of those deleted by one."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.db import models

M = TypeVar("M", bound=models.Model)


class Job(models.Model):
    """The state of a row's job; written by `queue` alone.

    A subclass names in `job_task` the function that does the work; it is called with the row. With
    `job_alone` the model's jobs run one at a time, in the order of their keys.

    `job_attempt` counts how often the job was enqueued: a worker of an earlier attempt has to
    stop and can write nothing more. `job_worker` is the process that claimed the job,
    `job_touched_at` the time of its last heartbeat, `job_problem` why it failed, as a sentence for
    people.
    """

    class State(models.TextChoices):
        NONE = ""
        WAITING = "waiting"
        WORKING = "working"
        DONE = "done"
        FAILED = "failed"

    job_task: ClassVar[str]
    job_alone: ClassVar[bool] = False

    job_state = models.CharField(
        max_length=7, choices=State.choices, blank=True, default=State.NONE
    )
    job_attempt = models.PositiveIntegerField(default=0)
    job_worker = models.CharField(max_length=60, blank=True)
    job_asked_at = models.DateTimeField(null=True, blank=True)
    job_touched_at = models.DateTimeField(null=True, blank=True)
    job_problem = models.TextField(blank=True)

    class Meta:
        abstract = True

    @property
    def is_under_way(self) -> bool:
        """Whether the job is waiting or being worked on."""
        return self.job_state in (self.State.WAITING, self.State.WORKING)

    @property
    def is_waiting(self) -> bool:
        """Whether no worker has claimed the job yet."""
        return self.job_state == self.State.WAITING


class Present(models.Manager[M]):
    """The rows that nobody has deleted."""

    def get_queryset(self) -> models.QuerySet[M]:
        return super().get_queryset().filter(deleted_at=None)


class Deletable(models.Model):
    """A row with so many others below it that they are deleted in the background (`deletion`).

    From the moment it is deleted it is absent from every list. `forget_task` names the function
    that deletes its files, if it has any; it is called with the row while all rows are still there.
    """

    forget_task: ClassVar[str] = ""

    deleted_at = models.DateTimeField(null=True, editable=False)

    objects = Present()
    every = models.Manager()

    class Meta:
        abstract = True


class Deletion(Job):
    """The deletion of one `Deletable` row with what is below it; `rows` are deleted so far."""

    job_task = "apps.jobs.deletion.delete_rows"

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="deletions"
    )
    kind = models.ForeignKey(ContentType, models.CASCADE)
    key = models.PositiveBigIntegerField()
    name = models.CharField(max_length=300)
    rows = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="deletion_once_a_row")]

    def __str__(self) -> str:
        return self.name
