"""Starts a draft; the worker that takes it freezes the topic as it is then."""

from __future__ import annotations

from django.utils import timezone

from apps.crawls.commands.command import Command, EventKind, Person
from apps.crawls.errors import CrawlRefused
from apps.crawls.lifecycle.transitions import queue
from apps.crawls.models import Crawl, RevisitPlan
from apps.engine.codes import State, StopReason


def start(crawl: Crawl) -> None:
    """Queues a draft for a worker. Raises CrawlRefused."""
    _prepare(crawl)
    queue(crawl, State.DRAFT)


def start_here(crawl: Crawl) -> Crawl:
    """Prepares a draft to be claimed by this process, without a worker.

    Raises CrawlRefused.
    """
    _prepare(crawl)
    crawl.state, crawl.reason = State.QUEUED, StopReason.WAITING_FOR_A_WORKER
    crawl.enqueued_at = timezone.now()
    crawl.save(update_fields=["state", "reason", "enqueued_at"])
    return crawl


def _prepare(crawl: Crawl) -> None:
    """Checks that there is an address to start from, and sets how much of an earlier crawl may be
    learned from."""
    has_plan = RevisitPlan.objects.filter(crawl=crawl).exists()
    if crawl.snapshot_id is None and not has_plan and not crawl.topic.seeds.exists():
        raise CrawlRefused(
            "seeds", "The topic has no seeds: give it addresses for the crawl to start from."
        )
    if crawl.earlier and crawl.earlier_pages is None:
        crawl.earlier_pages = crawl.earlier.pages
        crawl.save(update_fields=["earlier_pages"])


def _act(crawl: Crawl, value: str, by: Person) -> str:
    start(crawl)
    return ""


START = Command(
    name="start",
    title="Start",
    does="Queues a draft for the next free worker, which takes the topic as it is then.",
    act=_act,
    events=(EventKind("started", "Started"),),
)
