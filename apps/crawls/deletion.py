"""Deleting a topic with its crawls."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Sum

from apps.crawls.commands.delete import delete
from apps.crawls.models import Crawl
from apps.engine.codes import State
from apps.topics.examples.page_store import delete_pages
from apps.topics.inputs.lists import remove_tables
from apps.topics.models import Topic
from apps.topics.services import TopicRefused
from apps.topics.turns import take_turn

IDLE = (State.DRAFT, State.PAUSED, State.FINISHED, State.FAILED)


@dataclass(frozen=True, slots=True)
class TopicLoss:
    """What is deleted with a topic, in numbers.

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
    """What deleting the topic would delete."""
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
    """Deletes the topic with its crawls and pages. This cannot be undone. Raises TopicRefused."""
    with transaction.atomic():
        take_turn(topic.pk)
        if Crawl.objects.filter(topic=topic).exclude(state__in=IDLE).exists():
            raise TopicRefused("", "Stop the crawls of this topic first.")
        for crawl in Crawl.objects.filter(topic=topic):
            delete(crawl)
        pk = topic.pk
        remove_tables(topic)
        topic.delete()
    delete_pages(pk)
