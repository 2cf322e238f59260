"""People's labels of crawled pages."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Label(models.Model):
    """A person's label of a page: on the topic or not.

    A label never changes: it is removed (`undone_at`) and another one is made. `seq` is the page's
    t; `example_before` is the topic's example that the label overruled, if there was one. `kind`
    is the question that it answers.
    """

    class Purpose(models.TextChoices):
        """Why a page was labelled: drawn at random to measure, proposed to teach, or picked by the
        person."""

        MEASURING = "measuring"
        TEACHING = "teaching"
        PICKED = "picked"

    crawl = models.ForeignKey("crawls.Crawl", models.CASCADE, related_name="labels")
    seq = models.PositiveIntegerField()
    relevant = models.BooleanField()
    kind = models.CharField(max_length=9, choices=Purpose, default=Purpose.PICKED)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
    at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True)
    example_before = models.JSONField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["crawl", "seq"],
                condition=models.Q(undone_at=None),
                name="one_label_a_page",
            )
        ]

    def __str__(self) -> str:
        return f"{'y' if self.relevant else 'n'} page {self.seq}"
