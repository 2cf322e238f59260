"""People's labels of crawled pages, and how disagreements are settled."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from apps.jobs.models import Job
from apps.topics.models import Topic


class Settlement(models.Model):
    """How people who disagreed on a page settled it: on the topic, not on it, or left open (None).

    It holds for the page's address in all crawls of the topic. A settlement never changes: it is
    undone (`undone_at`) and another one is made.
    """

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="settlements")
    address = models.BigIntegerField()
    url = models.TextField()
    relevant = models.BooleanField(null=True)
    note = models.TextField(blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
    at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["topic", "address"],
                condition=models.Q(undone_at=None),
                name="one_settlement_a_page",
            )
        ]


class Label(models.Model):
    """A person's label of a page: on the topic or not.

    A label never changes: it is removed (`undone_at`) and another one is made. `seq` is the page's
    t, `address` the digest of the address that answered. `kind` is the question that it answers,
    `note` the person's reason. A row with a `settlement` is no person's label: by it the crawl
    learns how the page was settled.
    """

    class Purpose(models.TextChoices):
        """Why a page was labelled: drawn at random to measure, proposed to teach, or picked by the
        person."""

        MEASURING = "measuring"
        TEACHING = "teaching"
        PICKED = "picked"

    crawl = models.ForeignKey("crawls.Crawl", models.CASCADE, related_name="labels")
    seq = models.PositiveIntegerField()
    address = models.BigIntegerField(default=0)
    relevant = models.BooleanField()
    kind = models.CharField(max_length=9, choices=Purpose, default=Purpose.PICKED)
    note = models.TextField(blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
    at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True)
    settlement = models.ForeignKey(Settlement, models.CASCADE, null=True, related_name="labels")

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["address"], name="labels_by_address")]
        constraints = [
            models.UniqueConstraint(
                fields=["crawl", "seq", "by"],
                condition=models.Q(undone_at=None, settlement=None),
                name="one_label_a_person",
            ),
            models.UniqueConstraint(
                fields=["crawl", "seq"],
                condition=models.Q(undone_at=None, settlement__isnull=False),
                name="one_settled_label_a_page",
            ),
        ]

    def __str__(self) -> str:
        return f"{'y' if self.relevant else 'n'} page {self.seq}"


class LabelRecount(Job):
    """The job that brings a topic and its crawls in line with the labels that count by its present
    rule."""

    job_task = "apps.crawls.commands.labelling.recounting.recount_labels"

    topic = models.OneToOneField(Topic, models.CASCADE, related_name="label_recount")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
