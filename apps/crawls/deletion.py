"""Deleting a topic with its crawls."""

from __future__ import annotations

from django.db import transaction

from apps.crawls.commands.delete import delete
from apps.crawls.models import Crawl
from apps.engine.codes import State
from apps.topics.examples.page_store import delete_pages
from apps.topics.inputs.lists import remove_tables
from apps.topics.models import Topic
from apps.topics.services import TopicRefused

IDLE = (State.DRAFT, State.PAUSED, State.FINISHED, State.FAILED)


def delete_topic(topic: Topic) -> None:
    """Deletes the topic with its crawls and pages. This cannot be undone. Raises TopicRefused."""
    with transaction.atomic():
        if Crawl.objects.filter(topic=topic).exclude(state__in=IDLE).exists():
            raise TopicRefused("", "Stop the crawls of this topic first.")
        for crawl in Crawl.objects.filter(topic=topic):
            delete(crawl)
        pk = topic.pk
        remove_tables(topic)
        topic.delete()
    delete_pages(pk)
