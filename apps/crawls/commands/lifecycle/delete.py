"""Deletes a crawl with everything it gathered, in the background. This cannot be undone."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl
from apps.engine.codes import State
from apps.jobs.deletion import delete_later
from apps.topics.lock import lock_topic


@dataclass(frozen=True, slots=True)
class DeletionLoss:
    """The numbers of rows that are deleted with a crawl; `learners` are other crawls that learned
    from it."""

    pages: int
    links: int
    labels: int
    learners: int


def loss(crawl: Crawl) -> DeletionLoss:
    """Counts what deleting the crawl would delete."""
    return DeletionLoss(
        pages=crawl.pages,
        links=crawl.discovered,
        labels=crawl.labels.filter(undone_at=None).count(),
        learners=crawl.learners.count(),
    )


def delete(crawl: Crawl) -> None:
    """Deletes a crawl that is not running. Raises CrawlRefused."""
    with transaction.atomic():
        lock_topic(crawl.topic_id)
        idle = Crawl.objects.filter(pk=crawl.pk, runner="").exclude(
            state__in=(State.RUNNING, State.STOPPING)
        )
        if not idle.update(epoch=crawl.epoch + 1, state=State.FINISHED):
            raise CrawlRefused("state", "Stop the crawl first.")
        delete_later(crawl, crawl.owner)
