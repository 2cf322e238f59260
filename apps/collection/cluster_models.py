"""Clusters of near pages, and their making; `models` imports them for Django."""

from __future__ import annotations

import numpy as np
from django.db import models
from numpy.typing import NDArray

from apps.jobs.models import Job
from apps.topics.models import Topic


class Cluster(models.Model):
    """Pages of a topic that are near to each other, named by the words they differ in from the
    other clusters. `centre` has numbers of two bytes; `pages` were in it when it was made."""

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="+")
    words = models.JSONField()
    centre = models.BinaryField()
    pages = models.PositiveIntegerField()

    class Meta:
        ordering = ["-pages", "pk"]

    @property
    def name(self) -> str:
        """Its words, as in `oven, loaf, rye`."""
        return ", ".join(self.words) or "pages without words of their own"

    @property
    def direction(self) -> NDArray[np.float32]:
        """The mean direction of its pages, of length 1."""
        return np.frombuffer(bytes(self.centre), "<f2").astype(np.float32)


class Clustering(Job):
    """The last clustering of a topic's pages: by which version of their vectors, of how many.

    Half of the pages have ten others that are at least as near as `typical`.
    """

    job_task = "apps.collection.clusters.tasks.make_clusters"

    topic = models.OneToOneField(Topic, models.CASCADE, primary_key=True, related_name="+")
    version = models.PositiveIntegerField(default=0)
    pages = models.PositiveIntegerField(default=0)
    typical = models.FloatField(null=True)
    made_at = models.DateTimeField(null=True)
