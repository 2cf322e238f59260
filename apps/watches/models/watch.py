"""A watch: when a topic is visited, and how much a visit may cost."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from apps.crawls.models import Crawl
from apps.jobs.models import Deletable
from apps.topics.models import Topic


class Watch(Deletable):
    """A topic's standing order to be visited again and again; it ends when it is deleted, which
    keeps the crawls of its visits.

    `hours` is the rhythm between two visits, `cron` an expression in `time_zone`; the adaptive
    rhythm follows what is due. `requests` is the most that a visit may send. Between `quiet_from`
    and `quiet_until` (times of day in `time_zone`) no visit begins. `versions` of a page are stored
    at most, and `most_bytes` of main text in all; None for no limit. `pattern` is the crawl whose
    strategy, scope and politeness the visits have. `visits` is the number of the last visit.
    `taken` counts the pages that the watch has taken up of each crawl, by its number. `problem` is
    why the last visit was not possible, as a sentence.
    """

    class Rhythm(models.TextChoices):
        ADAPTIVE = "adaptive"
        HOURS = "hours"
        CRON = "cron"

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="watches")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="watches")
    pattern = models.ForeignKey(Crawl, models.SET_NULL, null=True, related_name="+")
    rhythm = models.CharField(max_length=8, choices=Rhythm.choices, default=Rhythm.ADAPTIVE)
    hours = models.PositiveIntegerField(default=24)
    cron = models.CharField(max_length=100, blank=True)
    time_zone = models.CharField(max_length=60, default="UTC")
    requests = models.PositiveIntegerField(default=200)
    quiet_from = models.TimeField(null=True)
    quiet_until = models.TimeField(null=True)
    starts_at = models.DateTimeField(null=True)
    ends_at = models.DateTimeField(null=True)
    versions = models.PositiveIntegerField(default=20)
    most_bytes = models.PositiveBigIntegerField(null=True)
    is_paused = models.BooleanField(default=False)
    next_visit_at = models.DateTimeField(null=True)
    visits = models.PositiveIntegerField(default=0)
    taken = models.JSONField(default=dict)
    problem = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        base_manager_name = "every"
        ordering = ["-id"]
        indexes = [models.Index(fields=["next_visit_at"], name="watch_by_next_visit")]
        constraints = [
            models.UniqueConstraint(
                fields=["topic"],
                condition=models.Q(deleted_at=None),
                name="watch_once_a_topic",
            )
        ]

    def __str__(self) -> str:
        return f"watch of {self.topic}"
