"""Indexing jobs of collections, and when they are queued."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, IntegerField, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django_q.tasks import async_task

from apps.collection.indexing.index import index_texts, list_pages, progress_of, sweep
from apps.collection.indexing.reading import read_pages, unread
from apps.collection.models import Progress
from apps.collection.vectors.page_vectors import make_page_vectors, without_vectors
from apps.crawls.models import Crawl
from apps.engine.codes import State
from apps.engine.errors import EngineError
from apps.jobs import queue
from apps.jobs.models import Job

log = logging.getLogger("crawlsite.collection")

SLICE_SECONDS = 20.0
"""After this time other jobs get their turn."""
AFTER_FAILURE = timedelta(minutes=2)
"""The pause after an error in reading a crawl's pages."""
ENOUGH = 200
REST = timedelta(seconds=10)
"""A running crawl is indexed every 200 pages or 10 seconds."""
RUNNING = (State.RUNNING, State.STOPPING)
READ_REST = timedelta(seconds=60)
"""A running crawl is read every 200 pages or 60 seconds: its pages can be found before that."""


def index(progress: Progress) -> None:
    """Indexes a crawl's new pages, reads them and makes their vectors, for twenty seconds at most;
    the rest is queued again. A crawl that has been deleted is not indexed."""
    crawl = Crawl.objects.select_related("topic", "web").filter(pk=progress.crawl_id).first()
    if crawl is None:
        return
    ends = time.monotonic() + SLICE_SECONDS

    def goes_on() -> bool:
        return queue.heartbeat(progress) and time.monotonic() < ends

    try:
        list_pages(crawl)
        if not index_texts(crawl, goes_on):
            return
        progress.crawl = crawl
        if _is_due(crawl, _reading_due()) and not read_pages(progress, goes_on):
            return
        if _is_due(crawl, without_vectors()):
            make_page_vectors(crawl, goes_on)
    except EngineError as error:
        log.warning("crawl %s cannot be indexed: %s", crawl.pk, error)
        queue.fail(progress, str(error))


def _is_due(crawl: Crawl, due: Q) -> bool:
    return Progress.objects.filter(due, crawl=crawl).exists()


def _reading_due() -> Q:
    """Crawls with unread pages: with enough of them, with any if the last were read some time ago
    or the crawl does not run."""
    rested = Q(read_at=None) | Q(read_at__lt=timezone.now() - READ_REST)
    enough = Q(indexed__gte=F("read") + ENOUGH)
    return unread() & (rested | enough | ~Q(crawl__state__in=RUNNING))


def ask(crawl: Crawl) -> None:
    """Queues the indexing unless it is queued or under way, or the crawl has been deleted; calling
    it twice does no harm."""
    if progress_of(crawl) is None:
        return
    with transaction.atomic():
        free = Progress.objects.filter(crawl=crawl).exclude(job_state__in=queue.UNFINISHED)
        for progress in free.select_for_update():
            queue.enqueue(progress)


def ask_where_due() -> int:
    """Queues every crawl with enough new pages; returns their number. Cheap enough for the
    supervisor to call often."""
    due = list(_due())
    for crawl in due:
        ask(crawl)
    return len(due)


def _due() -> Iterator[Crawl]:
    behind = F("pages") - Coalesce("collected__indexed", 0, output_field=IntegerField())
    crawls = Crawl.objects.annotate(behind=behind)
    rested = (
        Q(collected=None)
        | Q(collected__indexed_at=None)
        | Q(collected__indexed_at__lt=timezone.now() - REST)
    )
    failed = Q(collected__job_state=Job.State.FAILED) & Q(
        collected__job_touched_at__gte=timezone.now() - AFTER_FAILURE
    )
    to_read = Progress.objects.filter(_reading_due() | without_vectors()).values("crawl_id")
    unindexed = Q(behind__gte=ENOUGH) | (Q(behind__gt=0) & rested)
    yield from crawls.filter(unindexed | Q(pk__in=to_read)).exclude(
        Q(collected__job_state__in=queue.UNFINISHED) | failed
    )


def sweep_collections() -> None:
    """Deletes the words of deleted pages from the index."""
    sweep()


def ask_for_sweep() -> None:
    """Queues the sweep; called after a crawl has been deleted."""
    transaction.on_commit(
        lambda: async_task(
            "apps.collection.tasks.sweep_collections", cluster=settings.BACKGROUND_CLUSTER
        )
    )
