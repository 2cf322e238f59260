"""A visit of a watch."""

from __future__ import annotations

from django.db import models

from apps.crawls.models import Crawl
from apps.jobs.models import Job


class WatchVisit(Job):
    """One round of a watch, which is a crawl. The job does the next step: it plans the visit and
    starts its crawl, and settles what the crawl has seen once that has ended.

    `due_at` is the moment of the schedule, `began_at` that of its start, later if the site was not
    running (`is_late`). `requests` were sent, `planned` addresses were due. The five counts are of
    watched pages, of which `new_pages` are relevant ones that the watch had not met. `thinned`
    versions were deleted for the limits of the watch.
    """

    job_task = "apps.watches.tasks.advance"

    class Stage(models.TextChoices):
        PLANNED = "planned"
        CRAWLING = "crawling"
        SETTLED = "settled"
        FAILED = "failed"

    watch = models.ForeignKey("watches.Watch", models.CASCADE, related_name="visits_made")
    number = models.PositiveIntegerField()
    crawl = models.OneToOneField(Crawl, models.SET_NULL, null=True, related_name="visit")
    stage = models.CharField(max_length=8, choices=Stage.choices, default=Stage.PLANNED)
    due_at = models.DateTimeField()
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    is_late = models.BooleanField(default=False)
    planned = models.PositiveIntegerField(default=0)
    requests = models.PositiveIntegerField(default=0)
    new_pages = models.PositiveIntegerField(default=0)
    changed_pages = models.PositiveIntegerField(default=0)
    same_pages = models.PositiveIntegerField(default=0)
    gone_pages = models.PositiveIntegerField(default=0)
    not_reached_pages = models.PositiveIntegerField(default=0)
    thinned = models.PositiveIntegerField(default=0, db_default=0)
    problem = models.TextField(blank=True)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["watch", "number"], name="visit_once_a_number"),
            models.UniqueConstraint(
                fields=["watch"],
                condition=models.Q(ended_at=None),
                name="one_visit_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"visit {self.number} of watch {self.watch_id}"
