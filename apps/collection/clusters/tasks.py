"""The clusters of a topic's pages, made in the background.

They are worked out first and replace the former ones in one transaction: a kill leaves either these
or those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.db import transaction
from django.utils import timezone

from apps.collection.blocks import in_blocks
from apps.collection.clusters.clustering import (
    MADE_OF,
    cluster_rows,
    nearest_centres,
    spread,
    telling_words,
    typical_nearness,
)
from apps.collection.clusters.examples import named_examples, pages_near_examples
from apps.collection.models import Cluster, Clustering, Entry, MainText, PageVector
from apps.collection.stored_counts import drop_counts
from apps.collection.vectors.page_vectors import (
    assign_clusters,
    vector_blocks,
    vectors_by_page,
    vectors_of_topic,
)
from apps.collection.vectors.terms import words_by_stem
from apps.collection.vectors.text_space import Rows
from apps.crawls.models import Crawl
from apps.crawls.selectors import commonly_visible_crawls
from apps.jobs import queue
from apps.topics.lock import lock_topic
from apps.topics.models import Topic

NAMED_OF = 100
"""A cluster is named by the words of so many of its pages, the nearest to its centre."""
NOTED = 30
"""So many pages nearest to a centre are noted: some may be hidden later, or deleted."""
AT_ONCE = 500
GROWTH = 1.5
Heartbeat = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class NewClusters:
    """Clusters that were worked out of the pages `keys`, with vectors of a `version`, to replace
    the former ones; `members` are the keys of the pages of each. `values` are further fields of the
    Clustering."""

    version: int
    keys: Sequence[int]
    clusters: Sequence[Cluster]
    members: Sequence[Sequence[int]]
    values: Mapping[str, object]


def make_clusters(job: Clustering) -> None:
    """Makes the clusters of a topic."""
    topic = Topic.objects.filter(pk=job.topic_id).first()
    if topic is not None:
        cluster_topic(topic, lambda: queue.heartbeat(job))


def cluster_topic(topic: Topic, heartbeat: Heartbeat = lambda: True) -> bool:
    """Makes the clusters in this process; False if it was cancelled. It starts again if one of the
    clustered pages has been hidden meanwhile."""
    while (made := _work_out(topic, heartbeat)) is not None:
        if _replace_clusters(topic, made):
            return True
    return False


def refresh_clusters(topic: Topic, anew: bool = False) -> Clustering:
    """Enqueues the clusters to be made if they are due, or in any case with `anew`."""
    job, _ = Clustering.objects.get_or_create(topic=topic)
    if vectors_of_topic(topic.pk) is not None and (anew or _are_due(topic, job)):
        _ask(topic.pk)
        job.refresh_from_db()
    return job


def withhold_words(topic: int) -> None:
    """Removes the words of a topic's clusters and enqueues the clusters to be made again; call it
    in the transaction that hides pages, which the words may come from."""
    if Clustering.objects.filter(topic=topic, made_at__isnull=False).update(
        made_at=None, examples={}
    ):
        Cluster.objects.filter(topic=topic).update(words=[])
        _ask(topic)


def source_crawls(topic: Topic) -> list[int]:
    """The crawls that clusters are made and named of: those that everyone who sees the topic sees;
    all of them if these have no pages."""
    seen = commonly_visible_crawls(topic).filter(pages__gt=0)
    crawls = sorted(seen.values_list("pk", flat=True))
    return crawls or _crawls_of(topic)


def shown_keys(crawls: Sequence[int], most: int) -> list[int]:
    """The keys of pages of crawls, of near-duplicates and of fetches of one address one, at most so
    many of them, evenly spread."""
    chosen: dict[int, int] = {}
    rows = Entry.objects.filter(crawl__in=crawls).order_by("page_id")
    for page, address, fold in rows.values_list("page_id", "address", "fold"):
        if fold is None or fold == page:
            chosen.setdefault(address, page)
    keys: list[int] = spread(np.array([*chosen.values()], np.int64), most).tolist()
    return keys


def _crawls_of(topic: Topic) -> list[int]:
    return sorted(Crawl.objects.filter(topic=topic).values_list("pk", flat=True))


def _ask(topic: int) -> None:
    with transaction.atomic():
        free = Clustering.objects.filter(topic=topic).exclude(job_state__in=queue.UNFINISHED)
        for job in free.select_for_update():
            queue.enqueue(job)


def _are_due(topic: Topic, job: Clustering) -> bool:
    """Whether pages were hidden, are compared otherwise or are half as many again, a crawl can no
    longer be seen by all, or other examples are named."""
    row = vectors_of_topic(topic.pk)
    return (
        job.made_at is None
        or (row is not None and job.version != row.version)
        or Entry.objects.filter(topic=topic).count() >= GROWTH * max(1, job.entries)
        or not {*job.crawls} <= {*source_crawls(topic)}
        or {*job.examples} != {str(example.pk) for example in named_examples(topic)}
    )


def _work_out(topic: Topic, heartbeat: Heartbeat) -> NewClusters | None:
    """The clusters of the pages as they are now; None if it was broken off."""
    row = vectors_of_topic(topic.pk)
    version = row.version if row else 0
    crawls, entries = source_crawls(topic), Entry.objects.filter(topic=topic).count()
    keys, rows = vectors_by_page(shown_keys(crawls, MADE_OF), version)
    grouping = cluster_rows(rows) if len(rows) else None
    if not heartbeat():
        return None
    clusters: list[Cluster] = []
    members: list[list[int]] = []
    if grouping is not None:
        clusters = _clusters(topic, keys, rows, grouping.centres)
        members = [[] for _ in clusters]
        for pages, vectors in vector_blocks(_crawls_of(topic), version):
            numbers = nearest_centres(vectors, grouping.centres)
            for number, own in enumerate(members):
                own += pages[numbers == number].tolist()
            if not heartbeat():
                return None
    typical = typical_nearness(rows) if len(rows) else None
    values = {
        "pages": len(keys),
        "entries": entries,
        "crawls": crawls,
        "typical": typical,
        "examples": pages_near_examples(topic, crawls, typical),
    }
    return NewClusters(version, keys, clusters, members, values) if heartbeat() else None


def _clusters(topic: Topic, keys: Sequence[int], rows: Rows, centres: Rows) -> list[Cluster]:
    """Unsaved, with the words and the nearest of these pages."""
    labels = nearest_centres(rows, centres)
    made, texts = [], []
    for number, centre in enumerate(centres):
        own = np.flatnonzero(labels == number)
        order = own[np.argsort(-(rows[own] @ centre), kind="stable")]
        nearest = [keys[i] for i in order[:NAMED_OF]]
        texts.append([*_words_of(nearest)])
        made.append(
            Cluster(
                topic=topic,
                centre=centre.astype("<f2").tobytes(),
                pages=len(own),
                nearest=nearest[:NOTED],
            )
        )
    for cluster, telling in zip(made, telling_words(texts), strict=True):
        cluster.words = telling
    return made


def _words_of(keys: Sequence[int]) -> Iterator[Mapping[str, str]]:
    for text in MainText.objects.filter(page_id__in=keys).order_by("page_id"):
        yield words_by_stem(text.text, text.language)


def _replace_clusters(topic: Topic, made: NewClusters) -> bool:
    """Replaces the former clusters by the new; False, with nothing changed, if a page that
    they were made of is hidden or deleted."""
    with transaction.atomic():
        lock_topic(topic.pk)
        if not Topic.objects.filter(pk=topic.pk).exists():
            return True
        if not _are_all_shown(made.keys):
            return False
        former = list(Cluster.objects.filter(topic=topic).values_list("pk", flat=True))
        clusters = Cluster.objects.bulk_create(made.clusters)
        drop_counts([topic.pk])
        for cluster, own in zip(clusters, made.members, strict=True):
            for some in in_blocks(own, AT_ONCE):
                Entry.objects.filter(page_id__in=some).update(cluster=cluster.pk)
        Entry.objects.filter(topic=topic, cluster__in=former).update(cluster=None)
        Cluster.objects.filter(pk__in=former).delete()
        Clustering.objects.update_or_create(
            topic=topic,
            defaults={**made.values, "version": made.version, "made_at": timezone.now()},
        )
        # Pages that got their vectors meanwhile.
        left = Entry.objects.filter(topic=topic, cluster=None).values_list("page_id", flat=True)
        for some in in_blocks(list(left), AT_ONCE):
            late = PageVector.objects.filter(page_id__in=some, version=made.version)
            assign_clusters(topic.pk, list(late))
    return True


def _are_all_shown(keys: Sequence[int]) -> bool:
    shown = sum(Entry.objects.filter(page_id__in=some).count() for some in in_blocks(keys, AT_ONCE))
    return shown == len(keys)
