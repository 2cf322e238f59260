"""The frozen inputs of a crawl besides its topic."""

from __future__ import annotations

from django.db import models


class FrozenInputs(models.Model):
    """The inputs of a crawl at its start (`topics.inputs`), so that it can be repeated.

    A separate row, since it may be large and only the crawl's runner reads it.
    """

    crawl = models.OneToOneField("crawls.Crawl", models.CASCADE, related_name="frozen_inputs")
    data = models.JSONField()

    def __str__(self) -> str:
        return f"inputs of crawl {self.crawl_id}"


class RevisitPlan(models.Model):
    """The plan of a visit: the `due` addresses (`engine.frontier.revisits.DueAddress`) that it
    begins with, and marks of all `met` addresses, of which it requests only due ones. Written
    before its start, and never changed, so that it can be replayed."""

    crawl = models.OneToOneField("crawls.Crawl", models.CASCADE, related_name="revisit_plan")
    due = models.JSONField()
    met = models.BinaryField()

    def __str__(self) -> str:
        return f"{len(self.due)} addresses due for crawl {self.crawl_id}"
