"""Deleting a topic with its crawls, and the files of crawls."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.db.models import F, Sum
from django.utils import timezone

from apps.crawls.models import Crawl
from apps.crawls.pages.folder import crawl_folder
from apps.engine.codes import State
from apps.jobs.deletion import delete_later
from apps.stored_files.files import forget
from apps.topics.lock import lock_topic
from apps.topics.models import Topic
from apps.topics.services import TopicRefused

IDLE = (State.DRAFT, State.PAUSED, State.FINISHED, State.FAILED)


@dataclass(frozen=True, slots=True)
class TopicLoss:
    """The numbers of rows that are deleted with a topic.

    `others` are its crawls that belong to other people; while some are `busy`, it cannot be
    deleted.
    """

    examples: int
    targets: int
    crawls: int
    others: int
    pages: int
    busy: int


def topic_loss(topic: Topic) -> TopicLoss:
    """Counts what deleting the topic would delete."""
    crawls = Crawl.objects.filter(topic=topic)
    return TopicLoss(
        examples=topic.examples.count(),
        targets=topic.targets.count(),
        crawls=crawls.count(),
        others=crawls.exclude(owner=topic.owner_id).count(),
        pages=crawls.aggregate(all=Sum("pages"))["all"] or 0,
        busy=crawls.exclude(state__in=IDLE).count(),
    )


def delete_topic(topic: Topic) -> None:
    """Hides the topic with its crawls; their rows and pages are deleted in the background. This
    cannot be undone. Raises TopicRefused."""
    with transaction.atomic():
        lock_topic(topic.pk)
        if Crawl.objects.filter(topic=topic).exclude(state__in=IDLE).exists():
            raise TopicRefused("", "Stop the crawls of this topic first.")
        crawls = Crawl.objects.filter(topic=topic)
        crawls.update(epoch=F("epoch") + 1, state=State.FINISHED, deleted_at=timezone.now())
        delete_later(topic, topic.owner)


def forget_crawl(crawl: Crawl) -> None:
    """Deletes the files of a crawl."""
    forget(crawl_folder(crawl.pk))
