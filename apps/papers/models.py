"""Protocols of the papers that people repeat on a web."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from apps.experiments.models import Experiment
from apps.jobs.models import Job
from apps.webs.models import Web


class PaperRun(Job):
    """A protocol that a person repeats on a web, once for each choice of sizes.

    `topics` and `pages` are the person's numbers, 0 for the protocol's own. A protocol of topics
    runs as an `experiment`, before it perhaps as an exploratory crawl, `explorer`, which gives θ;
    a table has neither. The job takes one step; while an experiment runs there is no job. `step`
    is what the job does now. `result` is a `result.ProtocolResult` once the run has ended, `text`
    then a table with all its figures, as lines.
    """

    job_task = "apps.papers.tasks.take_step"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="paper_runs")
    protocol = models.CharField(max_length=60)
    web = models.ForeignKey(Web, models.CASCADE, related_name="paper_runs")
    topics = models.PositiveIntegerField(default=0)
    pages = models.PositiveIntegerField(default=0)
    explorer = models.ForeignKey(Experiment, models.SET_NULL, null=True, related_name="+")
    experiment = models.ForeignKey(Experiment, models.CASCADE, null=True, related_name="paper_runs")
    settings = models.JSONField(default=dict)
    step = models.CharField(max_length=200, blank=True)
    result = models.JSONField(default=dict)
    text = models.TextField(blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "protocol", "web", "topics", "pages"], name="paper_run_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.protocol} on {self.web}"
