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

log = logging.getLogger("crawlsite.collection")

TASK = "apps.collection.tasks.index"
SLICE_SECONDS = 20.0
"""After so long other work of the background gets its turn."""
LOST_AFTER = timedelta(minutes=2)
ENOUGH = 200
REST = timedelta(seconds=10)
"""A crawl that runs is taken in every 200 pages or 10 seconds."""


def index(crawl_id: int) -> str:
    """Takes a crawl's new pages in, for twenty seconds at most; the rest is asked for again."""
    crawl = Crawl.objects.select_related("topic", "web").filter(pk=crawl_id).first()
    if crawl is None:
        return "no such crawl any more"
    ends = time.monotonic() + SLICE_SECONDS

    def goes_on() -> bool:
        Progress.objects.filter(crawl=crawl_id).update(asked_at=timezone.now())
        return time.monotonic() < ends

    try:
        list_pages(crawl)
        done = index_texts(crawl, goes_on)
    except EngineError as error:
        # The mark stays: it is tried again once the task counts as lost.
        log.warning("crawl %s cannot be indexed: %s", crawl_id, error)
        return str(error)
    Progress.objects.filter(crawl=crawl_id).update(asked_at=None)
    return "done" if done else "goes on"


def ask(crawl: Crawl) -> None:
    """Queues the work unless it is queued or under way; asking twice does no harm."""
    progress_of(crawl)
    with transaction.atomic():
        free = Q(asked_at=None) | Q(asked_at__lt=timezone.now() - LOST_AFTER)
        if Progress.objects.filter(free, crawl=crawl).update(asked_at=timezone.now()):
            transaction.on_commit(
                lambda: async_task(TASK, crawl.pk, cluster=settings.BACKGROUND_CLUSTER)
            )


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
    yield from crawls.filter(Q(behind__gte=ENOUGH) | rested).filter(
        Q(collected=None)
        | Q(collected__asked_at=None)
        | Q(collected__asked_at__lt=timezone.now() - LOST_AFTER)
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
