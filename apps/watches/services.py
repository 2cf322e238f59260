"""Making, changing, pausing and deleting watches, and asking for a visit."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from apps.crawls.models import Crawl
from apps.crawls.selectors import visible_crawls
from apps.engine.codes import State
from apps.jobs.deletion import delete_later
from apps.schemas.refused import Refused
from apps.topics.models import Topic
from apps.watches.errors import WatchRefused
from apps.watches.models import Watch, WatchVisit
from apps.watches.schemas import WatchSettings
from apps.watches.visits import scheduling
from apps.watches.visits.rhythm import next_visit


def start_watch(topic: Topic, owner: User, now: datetime, **settings: Any) -> Watch:
    """Watches a topic with the settings of `WatchSettings`; the first visit is due at once, or at
    its start. Its visits have the strategy, scope and politeness of the topic's newest crawl.

    Raises WatchRefused if the topic is watched already, has no crawl with pages that the person
    may see, or a setting is wrong.
    """
    wanted = _settings(settings)
    pattern = _newest_crawl(topic, owner)
    if Watch.objects.filter(topic=topic).exists():
        raise WatchRefused("topic", "This topic is watched already.")
    watch = Watch(topic=topic, owner=owner, pattern=pattern, created_at=now, **wanted.model_dump())
    watch.next_visit_at = scheduling.first_visit(watch, now)
    try:
        with transaction.atomic():
            watch.save()
    except IntegrityError:
        raise WatchRefused("topic", "This topic is watched already.") from None
    return watch


def change_watch(watch: Watch, now: datetime, **settings: Any) -> None:
    """Changes those settings that are given, and no other that somebody else changes meanwhile; the
    next visit follows the new ones. Raises WatchRefused."""
    with transaction.atomic():
        stored = Watch.objects.select_for_update().get(pk=watch.pk)
        current = {name: getattr(stored, name) for name in WatchSettings.model_fields}
        wanted = _settings({**current, **settings}).model_dump()
        for name, value in wanted.items():
            setattr(stored, name, value)
        stored.next_visit_at = None if stored.is_paused else next_visit(stored, now)
        stored.save(update_fields=[*settings, "next_visit_at"])
    watch.refresh_from_db()


def pause_watch(watch: Watch) -> None:
    """No visit begins until the watch is resumed; one under way ends."""
    Watch.objects.filter(pk=watch.pk).update(is_paused=True, next_visit_at=None)
    watch.refresh_from_db()


def resume_watch(watch: Watch, now: datetime) -> None:
    """Visits begin again, the first at the next moment of the schedule."""
    moment = next_visit(watch, now)
    Watch.objects.filter(pk=watch.pk).update(is_paused=False, next_visit_at=moment)
    watch.refresh_from_db()


def visit_now(watch: Watch, now: datetime) -> WatchVisit:
    """Begins a visit at once, quiet hours or not. Raises WatchRefused if one is under way."""
    visit = scheduling.open_visit(watch, due_at=now, now=now)
    if visit is None:
        raise WatchRefused("visit", "A visit is under way; wait until it has ended.")
    return visit


def delete_watch(watch: Watch, by: User | None) -> None:
    """Deletes the watch with its visits and versions; the crawls of its visits, and so their pages,
    stay."""
    delete_later(watch, by)


def _settings(values: Mapping[str, Any]) -> WatchSettings:
    try:
        wanted = WatchSettings.read(dict(values))
    except Refused as refused:
        raise WatchRefused(refused.field, refused.message) from None
    if wanted.rhythm == Watch.Rhythm.CRON and not wanted.cron:
        raise WatchRefused("cron", "Give a cron expression, such as `30 6 * * 1-5`.")
    for name in ("starts_at", "ends_at"):
        moment = getattr(wanted, name)
        if moment is not None and moment.tzinfo is None:
            raise WatchRefused(name, "Give the moment with its time zone.")
    if wanted.starts_at and wanted.ends_at and wanted.ends_at <= wanted.starts_at:
        raise WatchRefused("ends_at", "The end must be later than the start.")
    return wanted


def _newest_crawl(topic: Topic, owner: User) -> Crawl:
    crawls = visible_crawls(owner).filter(topic=topic, pages__gt=0)
    ended = crawls.exclude(state__in=(State.DRAFT, State.FAILED)).order_by("-pk")
    newest = ended.filter(visit=None).first()
    if newest is None:
        raise WatchRefused("topic", "Crawl the topic first: a watch visits the pages of crawls.")
    return newest
