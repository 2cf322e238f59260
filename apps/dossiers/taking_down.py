"""Taking the pages of a host down: hidden at once, kept out of later crawls, erased after a week.

The owner of a topic may do so for all topics of their own, an administrator for all of the site;
only an administrator undoes it. Each step is done in chunks and may be done again, so that a killed
job goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from apps.crawls.commands.scope.exclude_host import exclude_host
from apps.crawls.deletion import IDLE
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl, HostFence, HostRecord
from apps.dossiers import withheld_copies, withheld_inputs, withheld_pages, withheld_versions
from apps.dossiers.models import TakeDown
from apps.hosts.models import HostSummary
from apps.hosts.services import show_fence
from apps.jobs import queue
from apps.schemas.refused import Refused
from apps.topics.models import Topic

WEEK = timedelta(days=7)
AT_ONCE = 2_000
"""The pages, and the inputs of topics, that are hidden before the answer; the rest is hidden in the
background."""
Heartbeat = Callable[[], bool]
Step = Callable[[TakeDown, QuerySet[Crawl], Heartbeat], bool]


class TakeDownRefused(Refused):
    """The pages of a host cannot be taken down, or shown again."""


@dataclass(frozen=True, slots=True)
class TakeDownLoss:
    """The numbers of pages and versions that would be deleted, and of their topics."""

    pages: int
    versions: int
    topics: int
    everywhere: bool


def may_take_down(user: User, topic: Topic) -> bool:
    """Whether the person may take down hosts of the topic."""
    return user.is_superuser or topic.owner_id == user.pk


def loss_of(user: User, host: str) -> TakeDownLoss:
    """Counts what the person would take down."""
    topics = _topics_of(user)
    pages = withheld_pages.pages_of(host, _crawls_of(topics)).filter(hidden=False)
    versions = withheld_versions.versions_of(host, topics)
    # The pages that redirects led to the host are sought among all: once for both numbers.
    of_pages = dict(pages.values_list("crawl__topic").annotate(Count("pk")))
    of_versions = dict(versions.values_list("page__watch__topic").annotate(Count("pk")))
    return TakeDownLoss(
        sum(of_pages.values()),
        sum(of_versions.values()),
        len({*of_pages, *of_versions}),
        user.is_superuser,
    )


def take_down(user: User, topic: Topic, host: str) -> TakeDown:
    """Hides the pages of the host and has them erased in a week. Raises TakeDownRefused."""
    if not may_take_down(user, topic):
        raise TakeDownRefused("host", "Only the topic’s owner or an administrator may do that.")
    if in_force(topic, host) is not None:
        raise TakeDownRefused("state", f"{host} has been taken down already.")
    loss, now, topics = loss_of(user, host), timezone.now(), _topics_of(user)
    with transaction.atomic():
        row = TakeDown.objects.create(
            host=host,
            everywhere=user.is_superuser,
            topics=[] if user.is_superuser else sorted(topics.values_list("pk", flat=True)),
            by=user,
            at=now,
            pages=loss.pages,
            versions=loss.versions,
            erase_at=now + WEEK,
        )
        _fence(row)
    show_fence(host, _counted_topics(row))
    _exclude(row, _crawls_for(row).exclude(state__in=IDLE))
    withheld_pages.hide(row, _crawls_for(row), most=AT_ONCE)
    withheld_inputs.hide(row, _crawls_for(row), most=AT_ONCE)
    queue.enqueue(row)
    return row


def undo(row: TakeDown, user: User) -> None:
    """Shows the pages again, in the background, and lets new crawls ask the host; those that it was
    excluded from go on without it until somebody includes it. Raises TakeDownRefused."""
    if not user.is_superuser:
        raise TakeDownRefused("host", "Only an administrator may undo that.")
    waiting = TakeDown.objects.filter(pk=row.pk, undone_at=None, erased_at=None)
    if not waiting.update(undone_at=timezone.now(), undone_by=user):
        raise TakeDownRefused("state", "Its pages have been erased, or are shown again.")
    row.refresh_from_db()
    _fences_of(row).delete()
    show_fence(row.host, _counted_topics(row))
    queue.enqueue(row)


def carry_out(row: TakeDown) -> None:
    """Hides, shows again or erases, whatever is due; what prevents it is recorded in the row."""
    try:
        if _carry_out(row, lambda: queue.heartbeat(row)):
            queue.finish(row)
    except OSError as error:
        queue.fail(row, f"The stored copies could not be changed: {error.strerror or error}.")


def _carry_out(row: TakeDown, heartbeat: Heartbeat) -> bool:
    crawls = _crawls_for(row)
    if row.undone_at is None:
        _exclude(row, crawls)
    else:
        crawls = _without_others(row, crawls)
    parts = (withheld_pages, withheld_inputs, withheld_versions, withheld_copies)
    if row.undone_at is not None:
        steps: list[Step] = [part.show for part in parts]
    else:
        steps = [part.hide for part in parts]
        if row.erase_at <= timezone.now():
            steps += [part.erase for part in reversed(parts)]
    if not all(step(row, crawls, heartbeat) for step in steps):
        return False
    if row.undone_at is None and row.erase_at <= timezone.now():
        TakeDown.objects.filter(pk=row.pk, undone_at=None).update(erased_at=timezone.now())
    return True


def _without_others(row: TakeDown, crawls: QuerySet[Crawl]) -> QuerySet[Crawl]:
    """The crawls whose pages of the host no other taking down holds back; what this one has of
    the others' topics is theirs from now on."""
    for other in TakeDown.objects.filter(host=row.host, undone_at=None).exclude(pk=row.pk):
        withheld_versions.pass_on(row, other)
        crawls = crawls.none() if other.everywhere else crawls.exclude(topic__in=other.topics)
    return crawls


def is_taken_down_since(topic: int, moment: datetime | None) -> bool:
    """Whether a host of the topic was taken down after a moment, or ever, and not shown again."""
    rows = TakeDown.objects.filter(undone_at=None)
    if moment is not None:
        rows = rows.filter(at__gte=moment)
    return any(row.concerns(topic) for row in rows)


def erase_due(now: datetime) -> list[str]:
    """Queues what is to be erased by now; returns a log line for each."""
    due = TakeDown.objects.filter(erased_at=None, undone_at=None, erase_at__lte=now)
    lines = []
    for row in due.exclude(job_state__in=(*queue.UNFINISHED, TakeDown.State.FAILED)):
        queue.enqueue(row)
        lines.append(f"the pages of {row.host}, taken down, are erased")
    return lines


def in_force(topic: Topic, host: str) -> TakeDown | None:
    """The taking down of the host that holds for the topic, or None."""
    rows = TakeDown.objects.filter(host=host, undone_at=None).select_related("by")
    return next((row for row in rows if row.concerns(topic.pk)), None)


def _topics_of(user: User) -> QuerySet[Topic]:
    return Topic.objects.all() if user.is_superuser else Topic.objects.filter(owner=user)


def _crawls_of(topics: QuerySet[Topic]) -> QuerySet[Crawl]:
    return Crawl.objects.filter(topic__in=topics.values("pk"))


def _crawls_for(row: TakeDown) -> QuerySet[Crawl]:
    rows = Crawl.objects.order_by("pk")
    return rows if row.everywhere else rows.filter(topic__in=row.topics)


def _counted_topics(row: TakeDown) -> QuerySet[Topic]:
    """The topics concerned that count the host or one below it."""
    name, below = Q(name=row.host) | Q(name__startswith=f"{row.host}/"), f".{row.host}"
    rows = HostSummary.objects.filter(name | Q(name__contains=below))
    return row.concerned_topics.filter(pk__in=rows.values("topic"))


def _fence(row: TakeDown) -> None:
    if row.everywhere:
        HostFence.objects.get_or_create(host=row.host, topic=None)
    for topic in row.topics:
        HostFence.objects.get_or_create(host=row.host, topic_id=topic)


def _fences_of(row: TakeDown) -> QuerySet[HostFence]:
    rows = HostFence.objects.filter(host=row.host)
    return rows.filter(topic=None) if row.everywhere else rows.filter(topic__in=row.topics)


def _exclude(row: TakeDown, crawls: QuerySet[Crawl]) -> None:
    """Excludes the host from crawls: at once from those that run, from others at their next
    start."""
    for crawl in crawls:
        HostRecord.objects.get_or_create(crawl=crawl, host=row.host)
        with suppress(CrawlRefused):  # it is excluded already
            exclude_host(crawl, row.host, row.by)


def log_of(host: str, topic: Topic) -> list[TakeDown]:
    """Every taking down of the host that concerned the topic, the latest first."""
    rows = TakeDown.objects.filter(host=host).select_related("by", "undone_by")
    return [row for row in rows if row.concerns(topic.pk)]
