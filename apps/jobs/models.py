"""A row that the background does something about."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class Job(models.Model):
    """What is known of a row's job; `queue` alone writes it.

    A model that is a job names in `job_task` the function that does it, which is given the row;
    with `job_alone` one row of the model is done at a time, in the order of their keys.

    `job_attempt` counts how often it was asked for: whoever works on an earlier attempt is told to
    stop and can write nothing more. `job_worker` is the process that claimed it, `job_touched_at`
    when that process last got somewhere, `job_problem` why it failed, as people read it.
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
        """Whether the background has still to do with it."""
        return self.job_state in (self.State.WAITING, self.State.WORKING)

    @property
    def is_waiting(self) -> bool:
        """Whether no worker has taken it yet."""
        return self.job_state == self.State.WAITING
