"""The base of models whose rows are background jobs."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class Job(models.Model):
    """The state of a row's job; written by `queue` alone.

    A subclass names in `job_task` the function that does the work; it is called with the row. With
    `job_alone` the model's jobs run one at a time, in the order of their keys.

    `job_attempt` counts how often the job was enqueued: a worker of an earlier attempt is told to
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
