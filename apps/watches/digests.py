"""Digests: one a visit and watch, made once. A visit without news makes an empty one, which nobody
gets; after a month without news a sign of life is made for those who want one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from apps.jobs import queue
from apps.topics.models import Topic
from apps.watches.digest_lines import lines_of
from apps.watches.models import (
    Delivery,
    Digest,
    DigestSubscription,
    Observation,
    PageState,
    SearchNews,
    WatchVisit,
)
from apps.watches.search_news import ask_for_matches, rewrite_search_news, write_search_news
from apps.watches.selectors import pages_of_host

MONTH = timedelta(days=30)
AGAIN_AFTER = timedelta(hours=1)
MOST_ATTEMPTS = 24
"""Of composing a digest, an hour apart: a day, as deliveries are tried."""
AT_ONCE = 50
"""Digests that a round of the supervisor begins."""
NEWS = (PageState.NEW, PageState.CHANGED, PageState.GONE)
PULLED = "feed"
"""The carrier that is asked for digests and has no deliveries."""


def begin_digests(now: datetime) -> list[str]:
    """Enqueues the digests of ended visits, due signs of life, and digests that failed an hour ago;
    returns a log line for each. Two machines make only one digest."""
    done = [*_of_visits(now), *_signs_of_life(now), *_failed(now)]
    return [f"watch {digest.watch_id}: digest {digest.key} is composed" for digest in done]


def _of_visits(now: datetime) -> Iterator[Digest]:
    ended = WatchVisit.objects.filter(ended_at__isnull=False, digest=None)
    for visit in ended.order_by("pk")[:AT_ONCE]:
        yield from _begin(watch=visit.watch, visit=visit, key=f"visit-{visit.number}", at=now)


def _signs_of_life(now: datetime) -> Iterator[Digest]:
    due = _without_news(now).values_list("watch", flat=True).distinct()
    for watch in due[:AT_ONCE]:
        yield from _begin(watch_id=watch, key=f"alive-{now:%Y-%m-%d}", at=now)


def _failed(now: datetime) -> Iterator[Digest]:
    failed = Digest.objects.filter(
        composed_at=None,
        job_state=Digest.State.FAILED,
        job_touched_at__lte=now - AGAIN_AFTER,
        job_attempt__lt=MOST_ATTEMPTS,
    )
    for digest in failed.order_by("pk")[:AT_ONCE]:
        queue.enqueue(digest)
        yield digest


def _without_news(now: datetime) -> QuerySet[DigestSubscription]:
    wanted = DigestSubscription.objects.filter(
        is_on=True, sign_of_life=True, watch__deleted_at=None, watch__is_paused=False
    )
    last = Coalesce("last_digest_at", "created_at")
    return wanted.annotate(last=last).filter(last__lte=now - MONTH)


def _begin(**values: Any) -> Iterator[Digest]:
    try:
        with transaction.atomic():
            digest = Digest.objects.create(**values)
            queue.enqueue(digest)
    except IntegrityError:
        return  # another machine was first
    yield digest


def compose(digest: Digest) -> None:
    """Composes a digest and makes its deliveries; a second time it does nothing."""
    if digest.composed_at is not None:
        return

    def goes_on() -> bool:
        return queue.heartbeat(digest) or digest.job_state != Digest.State.WORKING

    visit = digest.visit
    has_news = visit is not None and any(_counts(visit)[state] for state in NEWS)
    contains = Digest.Content.NEWS if has_news else Digest.Content.EMPTY
    if visit is None:
        contains = Digest.Content.SIGN_OF_LIFE
    matches = ask_for_matches(visit, goes_on) if visit and has_news else []
    if not goes_on():
        return
    with transaction.atomic():
        composed = Digest.objects.filter(pk=digest.pk, composed_at=None)
        if not composed.update(contains=contains, composed_at=timezone.now()):
            return
        # Read now that the matching, which takes minutes, is done and the row is locked: of a host
        # that is taken down meanwhile nothing is read, or `rewrite_lines` waits for this.
        content = _news_of(visit) if visit else _sign_of(digest)
        Digest.objects.filter(pk=digest.pk).update(content=content)
        digest.refresh_from_db()
        write_search_news(digest, matches)
        if contains != Digest.Content.EMPTY:
            _address(digest)


def _address(digest: Digest) -> None:
    """Makes a delivery for each subscription that gets the digest."""
    subscriptions = list(_select_subscriptions(digest))
    pushed = [each for each in subscriptions if each.carrier != PULLED]
    deliveries = Delivery.objects.bulk_create(
        [
            Delivery(subscription=each, digest=digest, created_at=digest.at, next_at=digest.at)
            for each in pushed
        ]
    )
    keys = [each.pk for each in subscriptions]
    DigestSubscription.objects.filter(pk__in=keys).update(last_digest_at=digest.at)
    queue.enqueue_all(deliveries)


def _select_subscriptions(digest: Digest) -> QuerySet[DigestSubscription]:
    """The subscriptions that get a digest."""
    if digest.visit is None:
        return _without_news(digest.at).filter(watch=digest.watch_id)
    matched = SearchNews.objects.filter(digest=digest).values("person")
    wanted = DigestSubscription.objects.filter(watch=digest.watch_id, is_on=True)
    return wanted.filter(Q(searches_only=False) | Q(person__in=matched))


def _news_of(visit: WatchVisit) -> dict[str, Any]:
    watch = visit.watch
    lines = [line for state in NEWS for line in _lines(visit, state)]
    return {
        "topic": watch.topic_id,
        "topic_name": watch.topic.name,
        "visit": visit.number,
        "at": (visit.ended_at or visit.began_at).isoformat(),
        "time_zone": watch.time_zone,
        "requests": visit.requests,
        "counts": _counts(visit),
        "pages": lines,
    }


def _counts(visit: WatchVisit) -> dict[str, int]:
    return {state.value: getattr(visit, f"{state.value}_pages") for state in PageState}


def rewrite_lines(host: str, topics: QuerySet[Topic]) -> None:
    """Writes what the digests of these topics have of a host's pages anew, from their versions as
    they are now."""
    pages = pages_of_host(host, topics)
    concerned = Digest.objects.filter(visit__observations__page__in=pages.values("pk"))
    for key in list(concerned.order_by("pk").values_list("pk", flat=True).distinct()):
        with transaction.atomic():
            # Waits for a worker that has read the lines and has not committed them yet.
            locked = Digest.objects.select_for_update().filter(pk=key).first()
            if locked and locked.visit and locked.composed_at:
                mine = set(pages.filter(watch=locked.watch_id).values_list("pk", flat=True))
                _rewrite(locked, locked.visit, mine)


def _rewrite(digest: Digest, visit: WatchVisit, pages: set[int]) -> None:
    written = {line["page"]: line for state in NEWS for line in _lines(visit, state)}
    lines = [
        written.get(line["page"], line) if line["page"] in pages else line
        for line in digest.content["pages"]
    ]
    content = {**digest.content, "pages": lines}
    Digest.objects.filter(pk=digest.pk).update(content=content)
    rewrite_search_news(digest, pages)


def _lines(visit: WatchVisit, state: str) -> list[dict[str, Any]]:
    return lines_of(Observation.objects.filter(visit=visit, state=state))


def _sign_of(digest: Digest) -> dict[str, Any]:
    """A month in which a subscriber had nothing: how often the watch was there, what it saw, and
    what stood in its way."""
    watch, since = digest.watch, digest.at - MONTH
    visits = watch.visits_made.filter(ended_at__gt=since)
    failed = visits.filter(Q(stage=WatchVisit.Stage.FAILED) | ~Q(problem=""))
    last = visits.filter(ended_at__isnull=False).order_by("-number").first()
    return {
        "topic": watch.topic_id,
        "topic_name": watch.topic.name,
        "visit": None,
        "at": digest.at.isoformat(),
        "time_zone": watch.time_zone,
        "visits": visits.count(),
        "failed": failed.count(),
        "problem": watch.problem,
        "last_visit_at": last.ended_at.isoformat() if last and last.ended_at else None,
        "watched": watch.pages.filter(is_watched=True).count(),
        "counts": {state.value: _sum(visits, state) for state in PageState},
        "pages": [],
    }


def _sum(visits: QuerySet[WatchVisit], state: PageState) -> int:
    return sum(visits.values_list(f"{state.value}_pages", flat=True))


def digests_of(subscription: DigestSubscription) -> QuerySet[Digest]:
    """The digests that a subscription's feed shows, the newest first."""
    rows = Digest.objects.filter(watch=subscription.watch_id, composed_at__isnull=False)
    shown = Q(contains=Digest.Content.NEWS)
    if subscription.searches_only:
        matched = SearchNews.objects.filter(person=subscription.person_id).values("digest")
        shown &= Q(pk__in=matched)
    if subscription.sign_of_life:
        shown |= Q(contains=Digest.Content.SIGN_OF_LIFE)
    return rows.filter(shown).order_by(F("at").desc(), "-pk")
