"""An overview of a collection and its gaps: clusters, keywords and examples, with pages.

A request compares no vectors: pages nearest to centres and counts of examples are written when
clusters are made; the database counts the pages of clusters and keywords.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Count, Q

from apps.collection.cluster_words import clusters_of
from apps.collection.clusters.clustering import NEIGHBOURS
from apps.collection.clusters.tasks import refresh_clusters
from apps.collection.models import Cluster, Clustering, Entry
from apps.collection.search import CollectionSearch
from apps.collection.searched_crawls import SearchedCrawls, crawls_of_topic
from apps.collection.selectors import count
from apps.collection.shared_pages.same_page import shown_entries
from apps.crawls.models import Page
from apps.topics.models import Example

SHOWN = 3
MOST_KEYWORDS = 30
FEW = NEIGHBOURS
"""A keyword or example with fewer pages has few."""


@dataclass(frozen=True, slots=True)
class ClusterSummary:
    """A cluster in the searched crawls: its pages, how many were judged and are relevant, the part
    of all clustered pages that it is, and the pages nearest to its centre."""

    cluster: Cluster
    pages: int
    judged: int
    relevant: int
    part: float
    nearest: tuple[Page, ...]

    @property
    def relevant_pages(self) -> int | None:
        """How many of its pages are relevant; None if none was judged."""
        return self.relevant if self.judged else None

    @property
    def harvest(self) -> float | None:
        """The share of relevant pages among those judged."""
        return self.relevant / self.judged if self.judged else None


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many pages there are for a keyword or an example; `address` is that of the example. With
    `is_partial` other pages are not indexed yet and may have it too."""

    words: str
    pages: int
    address: str = ""
    is_partial: bool = False

    @property
    def few(self) -> bool | None:
        """None where pages that are not indexed yet may be enough."""
        few = self.pages < FEW
        return None if few and self.is_partial else few


@dataclass(frozen=True, slots=True)
class ClusterOverview:
    """The clusters of the searched crawls, largest first; the pages that have each keyword of the
    topic now, and those that were as near to each of its examples as `typical` when the clusters
    were made: half of the pages have ten so near. `loose` pages are in no cluster. `clustering` is
    the job that makes them."""

    searched: SearchedCrawls
    clustering: Clustering
    clusters: tuple[ClusterSummary, ...]
    loose: int
    keywords: tuple[Coverage, ...]
    examples: tuple[Coverage, ...]
    typical: float | None


def cluster_overview(user: User, pk: int) -> ClusterOverview:
    """The overview of all visible crawls of a visible topic; new clusters are made in the
    background. Without pages nothing is missing yet. Raises Http404."""
    searched = crawls_of_topic(user, pk)
    clustering = refresh_clusters(searched.topic)
    summaries = _summaries(searched)
    every = shown_entries(searched.sets).count()
    return ClusterOverview(
        searched,
        clustering,
        tuple(summaries),
        every - sum(summary.pages for summary in summaries),
        tuple(_of_keywords(searched)) if every or searched.missing else (),
        tuple(_of_examples(searched, clustering)),
        clustering.typical,
    )


def _summaries(searched: SearchedCrawls) -> list[ClusterSummary]:
    rows = shown_entries(searched.sets).filter(cluster__isnull=False).order_by()
    counted = rows.values_list("cluster").annotate(
        pages=Count("page_id"),
        judged=Count("page_id", filter=Q(verdict__gte=0)),
        relevant=Count("page_id", filter=Q(verdict__gt=0)),
    )
    numbers: dict[int, tuple[int, ...]] = {key: row for key, *row in counted}  # type: ignore[misc]
    total = sum(row[0] for row in numbers.values())
    clusters = [
        cluster
        for cluster in clusters_of(searched.topic, searched.readable)
        if cluster.pk in numbers
    ]
    nearest = _nearest_pages(searched, clusters)
    listed = [
        ClusterSummary(cluster, pages, judged, relevant, pages / total, nearest[cluster.pk])
        for cluster in clusters
        for pages, judged, relevant in [numbers[cluster.pk]]
    ]
    return sorted(listed, key=lambda summary: (-summary.pages, summary.cluster.pk))


def _nearest_pages(
    searched: SearchedCrawls, clusters: Sequence[Cluster]
) -> dict[int, tuple[Page, ...]]:
    """The first nearest pages of each cluster that the crawls still have, by cluster."""
    noted = [key for cluster in clusters for key in cluster.nearest]
    entries = Entry.objects.filter(page_id__in=noted, crawl__in=searched.crawl_ids)
    left = {*entries.values_list("page_id", flat=True)}
    chosen = {c.pk: [key for key in c.nearest if key in left][:SHOWN] for c in clusters}
    pages = Page.objects.in_bulk([key for keys in chosen.values() for key in keys])
    return {pk: tuple(pages[key] for key in keys if key in pages) for pk, keys in chosen.items()}


def _of_keywords(searched: SearchedCrawls) -> list[Coverage]:
    return [
        Coverage(
            keyword,
            count(CollectionSearch(words=f'"{keyword}"').within(searched)).pages,
            is_partial=searched.missing > 0,
        )
        for keyword in searched.topic.keywords[:MOST_KEYWORDS]
    ]


def _of_examples(searched: SearchedCrawls, clustering: Clustering) -> list[Coverage]:
    counts = {int(key): pages for key, pages in clustering.examples.items() if pages is not None}
    return [
        Coverage(example.title or example.url, counts[example.pk], example.final_url or example.url)
        for example in Example.objects.filter(topic=searched.topic, pk__in=counts).order_by("pk")
    ]
