"""The clusters of a topic's pages, made in the background.

New clusters are written first, then pages are moved to them a thousand at a time, then the former
ones are deleted: after a kill the next attempt makes them anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from django.db import transaction
from django.utils import timezone

from apps.collection.cluster_models import Cluster, Clustering
from apps.collection.clusters.clustering import (
    MADE_OF,
    cluster_rows,
    nearest_centres,
    telling_words,
    typical_nearness,
)
from apps.collection.models import Entry, MainText
from apps.collection.vectors.page_vectors import (
    vector_blocks,
    vectors_by_page,
    vectors_of_topic,
)
from apps.collection.vectors.terms import words_by_stem
from apps.collection.vectors.text_space import Rows
from apps.crawls.models import Crawl
from apps.jobs import queue
from apps.topics.models import Topic
from apps.topics.turns import take_turn

NAMED_OF = 100
"""A cluster is named by the words of so many of its pages, the nearest to its centre."""
MOVED_AT_ONCE = 500
GROWTH = 1.5


def make_clusters(job: Clustering) -> None:
    """Makes the clusters of a topic."""
    topic = Topic.objects.filter(pk=job.topic_id).first()
    if topic is not None:
        cluster_topic(topic, lambda: queue.heartbeat(job))


def cluster_topic(topic: Topic, heartbeat: Callable[[], bool] = lambda: True) -> bool:
    """The same in this process; False if it was broken off."""
    row = vectors_of_topic(topic.pk)
    version = row.version if row else 0
    keys, rows = vectors_by_page(shown_keys(topic, MADE_OF), version)
    grouping = cluster_rows(rows) if len(rows) else None
    made: list[Cluster] = []
    if grouping is not None:
        named = telling_words([*_words_of_clusters(keys, rows, grouping.centres)])
        sizes = np.bincount(grouping.labels, minlength=len(grouping.centres))
        made = [
            Cluster(topic=topic, words=words, centre=centre.astype("<f2").tobytes(), pages=size)
            for words, centre, size in zip(named, grouping.centres, sizes.tolist(), strict=True)
        ]
    if not heartbeat():
        return False
    former = list(Cluster.objects.filter(topic=topic).values_list("pk", flat=True))
    made = Cluster.objects.bulk_create(made)
    crawls = list(Crawl.objects.filter(topic=topic).values_list("pk", flat=True))
    for pages, vectors in vector_blocks(crawls, version):
        if not heartbeat():
            return False
        _move(topic, pages.tolist(), vectors, made)
    with transaction.atomic():
        take_turn(topic.pk)
        Entry.objects.filter(topic=topic, cluster__in=former).update(cluster=None)
        Cluster.objects.filter(pk__in=former).delete()
        Clustering.objects.update_or_create(
            topic=topic,
            defaults={
                "version": version,
                "pages": len(keys),
                "typical": typical_nearness(rows) if len(rows) else None,
                "made_at": timezone.now(),
            },
        )
    return True


def refresh_clusters(topic: Topic, anew: bool = False) -> Clustering:
    """Has the clusters made in the background if there are none of the present vectors, or half as
    many pages again, or `anew`."""
    job, _ = Clustering.objects.get_or_create(topic=topic)
    row = vectors_of_topic(topic.pk)
    pages = len(shown_keys(topic, MADE_OF)) if row else 0
    is_due = row is not None and (
        job.made_at is None or job.version != row.version or pages >= GROWTH * max(1, job.pages)
    )
    if is_due or (anew and row is not None):
        with transaction.atomic():
            free = Clustering.objects.filter(pk=job.pk).exclude(job_state__in=queue.UNFINISHED)
            for each in free.select_for_update():
                queue.enqueue(each)
        job.refresh_from_db()
    return job


def shown_keys(topic: Topic, most: int) -> list[int]:
    """The keys of pages of the topic with words, of near-duplicates and of fetches of one address
    one, at most so many of them, evenly spread."""
    chosen: dict[int, int] = {}
    rows = Entry.objects.filter(topic=topic).order_by("page_id")
    for page, address, fold in rows.values_list("page_id", "address", "fold"):
        if fold is None or fold == page:
            chosen.setdefault(address, page)
    keys = [*chosen.values()]
    if len(keys) <= most:
        return keys
    return [keys[i] for i in np.linspace(0, len(keys) - 1, most).astype(int)]


def _words_of_clusters(
    keys: Sequence[int], rows: Rows, centres: Rows
) -> Iterator[list[Mapping[str, str]]]:
    labels = nearest_centres(rows, centres)
    for number, centre in enumerate(centres):
        own = np.flatnonzero(labels == number)
        nearest = own[np.argsort(-(rows[own] @ centre), kind="stable")][:NAMED_OF]
        texts = MainText.objects.filter(page_id__in=[keys[i] for i in nearest])
        yield [words_by_stem(text.text, text.language) for text in texts.order_by("page_id")]


def _move(topic: Topic, pages: Sequence[int], vectors: Rows, made: Sequence[Cluster]) -> None:
    if not made:
        return
    labels = nearest_centres(vectors, np.stack([cluster.direction for cluster in made]))
    for begin in range(0, len(pages), MOVED_AT_ONCE):
        with transaction.atomic():
            take_turn(topic.pk)
            some = slice(begin, begin + MOVED_AT_ONCE)
            for number in np.unique(labels[some]).tolist():
                own = [p for p, n in zip(pages[some], labels[some], strict=True) if n == number]
                Entry.objects.filter(page_id__in=own).update(cluster=made[number].pk)
