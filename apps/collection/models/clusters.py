"""Clusters of near pages, and their making."""

from __future__ import annotations

import numpy as np
from django.db import models
from numpy.typing import NDArray

from apps.jobs.models import Job
from apps.topics.models import Topic


class Cluster(models.Model):
    """Pages of a topic that are near to each other, named by the words they differ in from the
    other clusters, none while these may come from a hidden page. `centre` has numbers of two
    bytes; `pages` were in it when it was made, of which `nearest` are the keys of those nearest to
    the centre."""

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="+")
    words = models.JSONField()
    centre = models.BinaryField()
    pages = models.PositiveIntegerField()
    nearest = models.JSONField(default=list)

    class Meta:
        ordering = ["-pages", "pk"]

    @property
    def name(self) -> str:
        """Its words, as in `oven, loaf, rye`."""
        return ", ".join(self.words) or f"no. {self.pk}, without a name"

    @property
    def direction(self) -> NDArray[np.float32]:
        """The mean direction of its pages, of length 1."""
        return np.frombuffer(bytes(self.centre), "<f2").astype(np.float32)


class Clustering(Job):
    """The last clustering of a topic's pages: by which version of their vectors, of how many.

    The words come from the crawls with the keys `crawls`; the topic had so many `entries`. Half of
    the pages have ten others that are at least as near as `typical`; `examples` has by an example's
    key how many pages are as near to it, null if it cannot be compared. `made_at` is empty until
    they are made, and from when pages have been hidden until they are made anew.
    """

    job_task = "apps.collection.clusters.tasks.make_clusters"

    topic = models.OneToOneField(Topic, models.CASCADE, primary_key=True, related_name="+")
    version = models.PositiveIntegerField(default=0)
    pages = models.PositiveIntegerField(default=0)
    entries = models.PositiveIntegerField(default=0)
    crawls = models.JSONField(default=list)
    typical = models.FloatField(null=True)
    examples = models.JSONField(default=dict)
    made_at = models.DateTimeField(null=True)
