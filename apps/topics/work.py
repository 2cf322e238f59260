"""What the background does for a topic: asked for, claimed once, void when asked anew."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django_q.tasks import async_task

from apps.topics.models import Topic

TASK = "apps.topics.tasks.run"
LOST_AFTER = timedelta(minutes=10)


def ask(topic: Topic, kind: str) -> None:
    """Queues work for the topic; work asked for earlier stops at its next step."""
    with transaction.atomic():
        number = renew(topic, kind)
        transaction.on_commit(
            lambda: async_task(TASK, topic.pk, number, cluster=settings.BACKGROUND_CLUSTER)
        )


def ask_for_all(topics: Sequence[Topic], kind: str) -> None:
    """The same for many topics made just now, queued in one transaction."""
    with transaction.atomic():
        asked = [(topic.pk, renew(topic, kind)) for topic in topics]
        transaction.on_commit(lambda: _queue(asked))


def _queue(asked: Sequence[tuple[int, int]]) -> None:
    with transaction.atomic():
        for topic_id, number in asked:
            async_task(TASK, topic_id, number, cluster=settings.BACKGROUND_CLUSTER)


def renew(topic: Topic, kind: str) -> int:
    """Writes down that work is wanted, without queueing it; gives its number."""
    Topic.objects.filter(pk=topic.pk).update(
        work=kind, work_number=F("work_number") + 1, work_asked_at=timezone.now(), work_at=None
    )
    topic.refresh_from_db(fields=["work", "work_number", "work_asked_at", "work_at"])
    return topic.work_number


def claim(topic_id: int, number: int) -> Topic | None:
    """The topic, for the one task that may do this work; None for a second or a late one."""
    mine = Topic.objects.filter(pk=topic_id, work_number=number, work_at=None)
    if not mine.exclude(work=Topic.Work.NONE).update(work_at=timezone.now()):
        return None
    return Topic.objects.get(pk=topic_id)


def goes_on(topic_id: int, number: int) -> bool:
    """Notes that the work got somewhere; False where other work has been asked for since."""
    return bool(
        Topic.objects.filter(pk=topic_id, work_number=number).update(work_at=timezone.now())
    )


def end(topic_id: int, number: int) -> None:
    """The work is done."""
    Topic.objects.filter(pk=topic_id, work_number=number).update(work=Topic.Work.NONE)


def ask_for_lost_work(after: timedelta = LOST_AFTER) -> int:
    """Asks again for work that no worker has taken or brought forward for so long.

    Before any worker has started, that is all unfinished work: `after` is then zero.
    """
    before = timezone.now() - after
    untouched = Q(work_at=None, work_asked_at__lt=before) | Q(work_at__lt=before)
    lost = Topic.objects.exclude(work=Topic.Work.NONE).filter(untouched)
    for topic in lost:
        ask(topic, topic.work)
    return len(lost)


def new_version(topic: Topic, same_examples: bool = False) -> None:
    """The topic has changed: crawls from now on take another snapshot.

    With `same_examples` the quality that was measured still holds.
    """
    changes = {"version": F("version") + 1}
    current = Topic.objects.filter(pk=topic.pk)
    if same_examples:
        current.filter(quality_version=F("version")).update(
            quality_version=F("quality_version") + 1, **changes
        ) or current.update(**changes)
    else:
        current.update(**changes)
    topic.refresh_from_db(fields=["version", "quality_version"])
