"""Months that people have begun."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from apps.jobs.models import Job


class MonthRun(Job):
    """A `schema.MonthDesign` of a person, run once for each design: `digest` is of it.

    `results` has by seed and policy what has ended, a `result.PolicyResult` each; `visits` counts
    those of the month under way. After a kill the job goes on with the first that is missing.
    """

    job_task = "apps.months.tasks.run_months"
    # A month has a core for itself for minutes to hours; the background has other work.
    job_alone = True

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="month_runs")
    design = models.JSONField()
    digest = models.CharField(max_length=64)
    visits = models.PositiveIntegerField(default=0)
    results = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["owner", "digest"], name="month_run_once")]

    def __str__(self) -> str:
        return f"months {self.pk}"
