"""The words of clusters, for those who may read every crawl that they come from."""

from __future__ import annotations

from collections.abc import Set

from apps.collection.models import Cluster, Clustering
from apps.topics.models import Topic


def clusters_of(topic: Topic, readable: Set[int]) -> list[Cluster]:
    """The clusters of a topic, without their words if these come from a crawl that is not among the
    `readable`."""
    clusters = list(Cluster.objects.filter(topic=topic).defer("centre"))
    if clusters and not _may_read_words(topic, readable):
        for cluster in clusters:
            cluster.words = []
    return clusters


def _may_read_words(topic: Topic, readable: Set[int]) -> bool:
    read = Clustering.objects.filter(topic=topic).values_list("crawls", flat=True).first()
    return {*(read or [])} <= readable
