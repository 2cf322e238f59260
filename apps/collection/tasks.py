"""What the workers of the background cluster do for collections, and when they are asked."""

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

from apps.collection.indexing import index_texts, list_pages, progress_of, sweep
from apps.collection.models import Progress
from apps.crawls.models import Crawl
from apps.engine.errors import EngineError
from apps.jobs import queue
from apps.jobs.models import Job

log = logging.getLogger("crawlsite.collection")

SLICE_SECONDS = 20.0
"""After so long other work of the background gets its turn."""
AFTER_FAILURE = timedelta(minutes=2)
"""How long a crawl rests whose pages could not be read."""
ENOUGH = 200
REST = timedelta(seconds=10)
"""A crawl that runs is taken in every 200 pages or 10 seconds."""


def index(progress: Progress) -> None:
    """Takes a crawl's new pages in, for twenty seconds at most; the rest is due again."""
    crawl = Crawl.objects.select_related("topic", "web").get(pk=progress.crawl_id)
    ends = time.monotonic() + SLICE_SECONDS
    try:
        list_pages(crawl)
        index_texts(crawl, lambda: queue.heartbeat(progress) and time.monotonic() < ends)
    except EngineError as error:
        log.warning("crawl %s cannot be indexed: %s", crawl.pk, error)
        queue.fail(progress, str(error))


def ask(crawl: Crawl) -> None:
    """Queues the work unless it is queued or under way; asking twice does no harm."""
    progress_of(crawl)
    with transaction.atomic():
        free = Progress.objects.filter(crawl=crawl).exclude(job_state__in=queue.UNFINISHED)
        for progress in free.select_for_update():
            queue.enqueue(progress)


def ask_where_due() -> int:
    """Asks for every crawl with enough new pages; how many. Cheap: for the supervisor."""
    due = list(_due())
    for crawl in due:
        ask(crawl)
    return len(due)


def _due() -> Iterator[Crawl]:
    behind = F("pages") - Coalesce("collected__indexed", 0, output_field=IntegerField())
    crawls = Crawl.objects.annotate(behind=behind).filter(behind__gt=0)
    rested = Q(collected=None) | Q(collected__indexed_at=None) | Q(
        collected__indexed_at__lt=timezone.now() - REST
    )
    failed = Q(collected__job_state=Job.State.FAILED) & Q(
        collected__job_touched_at__gte=timezone.now() - AFTER_FAILURE
    )
    yield from crawls.filter(Q(behind__gte=ENOUGH) | rested).exclude(
        Q(collected__job_state__in=queue.UNFINISHED) | failed
    )


def sweep_collections() -> None:
    """Forgets the words of what has been deleted."""
    sweep()


def ask_for_sweep() -> None:
    """Queues the sweep; for whoever has deleted a crawl."""
    transaction.on_commit(
        lambda: async_task("apps.collection.tasks.sweep_collections",
                           cluster=settings.BACKGROUND_CLUSTER)
    )
