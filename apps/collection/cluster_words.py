"""The words of clusters, for those who may read every crawl that they come from."""

from __future__ import annotations

from apps.collection.cluster_models import Cluster, Clustering
from apps.collection.scope import Scope


def clusters_of(scope: Scope) -> list[Cluster]:
    """The clusters of the scope's topic, without their words if these come from a crawl that the
    person may not read."""
    clusters = list(Cluster.objects.filter(topic=scope.topic).defer("centre"))
    if clusters and not _may_read_words(scope):
        for cluster in clusters:
            cluster.words = []
    return clusters


def _may_read_words(scope: Scope) -> bool:
    read = Clustering.objects.filter(topic=scope.topic).values_list("crawls", flat=True).first()
    return {*(read or [])} <= scope.readable
