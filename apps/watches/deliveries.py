"""Deliveries of digests: tried by workers, again with growing pauses over a day, and logged.

A delivery is claimed as every job is, so that one worker at a time tries it. If that worker is
lost it is tried again, with the same message id.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from apps.jobs import queue
from apps.watches.carriers.carrier import CarrierProblem, DigestMessage
from apps.watches.carriers.catalogue import CARRIERS
from apps.watches.digest_text import text_of, title_of, watch_address
from apps.watches.models import Delivery, DeliveryAttempt, DigestSubscription
from apps.watches.search_news import content_for
from apps.watches.selectors import visible_watches

PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180, 420, 759))
"""After each attempt; together a day."""
AT_ONCE = 100
TEST_TITLE = "A test message"


def retry_due(now: datetime) -> list[str]:
    """Enqueues the deliveries that are due; returns a log line for each."""
    due = Delivery.objects.filter(status=Delivery.Fate.WAITING, next_at__lte=now)
    idle = due.exclude(job_state__in=(*queue.UNFINISHED, Delivery.State.FAILED))
    done = []
    for delivery in idle.order_by("next_at")[:AT_ONCE]:
        queue.enqueue(delivery)
        done.append(f"delivery {delivery.pk} is tried")
    return done


def deliver(delivery: Delivery) -> None:
    """One attempt of a delivery that is waiting."""
    if delivery.status != Delivery.Fate.WAITING:
        return
    subscription, now = delivery.subscription, timezone.now()
    try:
        _check(subscription)
        carrier = CARRIERS[subscription.carrier]
        answer = carrier.send(subscription.target, subscription.secret, _message(delivery))
    except CarrierProblem as problem:
        _note(delivery, now, False, str(problem), problem.is_final)
    else:
        _note(delivery, now, True, answer)


def _check(subscription: DigestSubscription) -> None:
    """Raises CarrierProblem if the person is not to get it any more, or the site cannot send."""
    person = subscription.person
    may_see = visible_watches(person).filter(pk=subscription.watch_id).exists()
    if not (person.is_active and may_see):
        raise CarrierProblem("You cannot see this topic any more.", is_final=True)
    carrier = CARRIERS.get(subscription.carrier)
    if carrier is None:
        raise CarrierProblem("There is no such carrier any more.", is_final=True)
    refusal = carrier_refusal(subscription.carrier)
    if refusal:
        raise CarrierProblem(refusal)


def carrier_refusal(name: str) -> str:
    """Why a carrier cannot be used on this site, as a sentence; empty if it can."""
    carrier = CARRIERS[name]
    if carrier.needs_address and not settings.ADDRESS:
        return (
            f"{carrier.title} needs the address of this site, which its links lead to: the"
            " administrator sets CRAWLSITE_ADDRESS."
        )
    return carrier.refusal()


def _message(delivery: Delivery) -> DigestMessage:
    watch = delivery.subscription.watch
    address, name = watch_address(watch.topic_id), f"crawlsite-{delivery.pk}"
    if delivery.digest is None:
        text = f"{TEST_TITLE} of the watch of {watch.topic.name}. It has arrived.\n\n{address}\n"
        content = {"topic": watch.topic_id, "topic_name": watch.topic.name, "test": True}
        return DigestMessage(name, f"{watch.topic.name}: a test message", text, content, address)
    to = delivery.subscription
    content = content_for(delivery.digest, to.person, to.searches_only)
    return DigestMessage(name, title_of(content), text_of(content), content, address)


def _note(
    delivery: Delivery, now: datetime, is_accepted: bool, answer: str, is_final: bool = False
) -> None:
    """Logs an attempt and decides whether there is another."""
    status, next_at = Delivery.Fate.SENT, None
    if not is_accepted:
        is_last = is_final or delivery.digest is None or delivery.attempts >= len(PAUSES)
        status = Delivery.Fate.GIVEN_UP if is_last else Delivery.Fate.WAITING
        next_at = None if is_last else now + PAUSES[delivery.attempts]
    with transaction.atomic():
        DeliveryAttempt.objects.create(
            delivery=delivery, at=now, is_accepted=is_accepted, answer=answer[:1000]
        )
        Delivery.objects.filter(pk=delivery.pk).update(
            status=status,
            attempts=F("attempts") + 1,
            next_at=next_at,
            sent_at=now if is_accepted else None,
        )
        if is_accepted and delivery.digest is None:
            delivery.subscription.tested_at = now
            delivery.subscription.save(update_fields=["tested_at"])
    delivery.refresh_from_db()
