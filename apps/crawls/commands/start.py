"""Starts a draft; the topic is frozen as it is now."""

from __future__ import annotations

from django.utils import timezone

from apps.crawls.commands.command import Command, EventKind, Person
from apps.crawls.errors import CrawlRefused
from apps.crawls.inputs.frozen import freeze_inputs
from apps.crawls.lifecycle.transitions import queue
from apps.crawls.models import Crawl
from apps.engine.codes import State, StopReason
from apps.engine.errors import BadWebFile
from apps.topics.snapshots import snapshot


def start(crawl: Crawl) -> None:
    """Queues a draft for a worker. Raises CrawlRefused."""
    _freeze_topic(crawl)
    queue(crawl, State.DRAFT)


def start_here(crawl: Crawl) -> Crawl:
    """Prepares a draft to be claimed by this process, without a worker.

    Raises CrawlRefused.
    """
    _freeze_topic(crawl)
    crawl.state, crawl.reason = State.QUEUED, StopReason.WAITING_FOR_A_WORKER
    crawl.enqueued_at = timezone.now()
    crawl.save(update_fields=["state", "reason", "enqueued_at"])
    return crawl


def _freeze_topic(crawl: Crawl) -> None:
    if crawl.snapshot_id is None:
        if not crawl.topic.seeds.exists():
            raise CrawlRefused(
                "seeds", "The topic has no seeds: give it addresses for the crawl to start from."
            )
        crawl.snapshot = snapshot(crawl.topic)
        crawl.save(update_fields=["snapshot"])
    try:
        freeze_inputs(crawl)
    except BadWebFile as error:
        raise CrawlRefused("web", f"The topic’s pages cannot be read: {error.detail}.") from None


def _act(crawl: Crawl, value: str, by: Person) -> str:
    start(crawl)
    return ""


START = Command(
    name="start",
    title="Start",
    does="Queues a draft for the next free worker, with the topic as it is now.",
    act=_act,
    events=(EventKind("started", "Started"),),
)
