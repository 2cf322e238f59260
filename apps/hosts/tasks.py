"""When a topic's hosts are counted: at once if that is quick, else in the background."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from apps.collection.indexing.index import list_pages
from apps.collection.models import Progress
from apps.crawls.models import Crawl
from apps.hosts.counting import recount
from apps.hosts.linking import link_hosts
from apps.hosts.make_up import count_make_ups
from apps.hosts.models import HostCounting
from apps.hosts.numbering import number_hosts
from apps.jobs import queue
from apps.topics.models import Topic

PAGES_NOW, ADDRESSES_NOW = 1_000, 20_000
"""A request counts the hosts of a topic with no more pages and addresses itself."""
REST = timedelta(seconds=10)
"""The pause between two counts in the background while crawls run."""


def count(job: HostCounting) -> None:
    """Counts what the crawls of a topic have fetched and met since the last count."""
    topic = Topic.objects.filter(pk=job.topic_id).first()
    if topic is not None and count_here(topic, lambda: queue.heartbeat(job)):
        queue.heartbeat(job)


def count_here(topic: Topic, goes_on: Callable[[], bool] = lambda: True) -> bool:
    """Counts in this process, without a job; False if it was cancelled."""
    commits = _commits(topic)
    for crawl in Crawl.objects.filter(topic=topic).order_by("pk"):
        list_pages(crawl)
        while number_hosts(crawl, ADDRESSES_NOW):
            if not goes_on():
                return False
        link_hosts(crawl)
        if not goes_on():
            return False
    recount(topic)
    if not count_make_ups(topic, goes_on):
        return False
    HostCounting.objects.update_or_create(
        topic=topic, defaults={"commits": commits, "counted_at": timezone.now()}
    )
    return True


def refresh(topic: Topic) -> HostCounting:
    """Recounts the hosts if crawls have continued since: now, or in the background."""
    job, _ = HostCounting.objects.get_or_create(topic=topic)
    if job.commits == _commits(topic) and job.counted_at is not None:
        return job
    if _is_quick(topic):
        count_here(topic)
    elif job.counted_at is None or job.counted_at < timezone.now() - REST:
        _ask(job)
    job.refresh_from_db()
    return job


def _commits(topic: Topic) -> dict[str, int]:
    """The commits of each crawl, and how many of its pages are read, by its key."""
    crawls = Crawl.objects.filter(topic=topic).values_list("pk", "commits")
    reading = Progress.objects.filter(crawl__topic=topic, read__gt=0).values_list("crawl", "read")
    return {str(pk): number for pk, number in crawls} | {
        f"{pk} read": number for pk, number in reading
    }


def _is_quick(topic: Topic) -> bool:
    sums = Crawl.objects.filter(topic=topic).aggregate(pages=Sum("pages"), met=Sum("discovered"))
    return (sums["pages"] or 0) <= PAGES_NOW and (sums["met"] or 0) <= ADDRESSES_NOW


def _ask(job: HostCounting) -> None:
    """Queues the count unless it is queued or under way."""
    with transaction.atomic():
        free = HostCounting.objects.filter(pk=job.pk).exclude(job_state__in=queue.UNFINISHED)
        for each in free.select_for_update():
            queue.enqueue(each)
