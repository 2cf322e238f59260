"""Each person's own choice of how the digests of a watch come."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Prefetch, QuerySet

from apps.jobs import queue
from apps.schemas.refused import Refused
from apps.watches.carriers.catalogue import CARRIERS
from apps.watches.carriers.feed import FEED
from apps.watches.carriers.webhook import WEBHOOK, new_secret
from apps.watches.deliveries import carrier_refusal
from apps.watches.models import Delivery, DeliveryAttempt, DigestSubscription, Watch
from apps.watches.selectors import visible_watches

TEST_EVERY = timedelta(seconds=30)
LOG_ROWS = 20


def feed_of(watch: Watch, person: User, now: datetime) -> DigestSubscription:
    """The person's feed, which every watch has from the start."""
    subscription, _ = DigestSubscription.objects.get_or_create(
        watch=watch,
        person=person,
        carrier=FEED.id,
        defaults={"is_on": True, "secret": _token(), "created_at": now},
    )
    return subscription


def choose_carrier(
    watch: Watch,
    person: User,
    name: str,
    now: datetime,
    *,
    is_on: bool = True,
    target: str | None = None,
    sign_of_life: bool | None = None,
    searches_only: bool | None = None,
) -> DigestSubscription:
    """Subscribes the person to digests by a carrier, or unsubscribes; a value of None leaves a
    setting as it is. A new target gets a test message. Raises Refused if there is no such carrier,
    it cannot be used on this site, or the target is none."""
    if name not in CARRIERS:
        raise Refused("carrier", f"Give one of {', '.join(CARRIERS)}.")
    subscription = _subscription(watch, person, name, now)
    if is_on:
        _turn_on(subscription, target)
    else:
        subscription.is_on = False
    if sign_of_life is not None:
        subscription.sign_of_life = sign_of_life
    if searches_only is not None:
        subscription.searches_only = searches_only
    subscription.save()
    if is_on and subscription.target and subscription.tested_at is None:
        send_test(subscription, now)
    return subscription


def _subscription(watch: Watch, person: User, name: str, now: datetime) -> DigestSubscription:
    if name == FEED.id:
        return feed_of(watch, person, now)
    wanted = {"watch": watch, "person": person, "carrier": name}
    existing = DigestSubscription.objects.filter(**wanted).first()
    return existing or DigestSubscription(**wanted, created_at=now)


def _turn_on(subscription: DigestSubscription, target: str | None) -> None:
    carrier = CARRIERS[subscription.carrier]
    if refusal := carrier_refusal(carrier.id):
        raise Refused("carrier", refusal)
    checked = carrier.check_target(subscription.target if target is None else target)
    if checked != subscription.target:
        subscription.target, subscription.tested_at = checked, None
    if carrier is WEBHOOK and not subscription.secret:
        subscription.secret = new_secret()
    subscription.is_on = True


def send_test(subscription: DigestSubscription, now: datetime) -> Delivery:
    """Sends a test message in the background. Raises Refused if the carrier cannot be used, or the
    last test was just now."""
    if refusal := carrier_refusal(subscription.carrier):
        raise Refused("carrier", refusal)
    tests = subscription.deliveries.filter(digest=None)
    if tests.filter(created_at__gt=now - TEST_EVERY).exists():
        raise Refused("carrier", "A test message was sent just now: wait for half a minute.")
    delivery = Delivery.objects.create(subscription=subscription, created_at=now)
    queue.enqueue(delivery)
    return delivery


def renew_secret(subscription: DigestSubscription) -> None:
    """A new address of the feed, or a new key of the webhook; the former one ends at once."""
    subscription.secret = _token() if subscription.carrier == FEED.id else new_secret()
    subscription.save(update_fields=["secret"])


def feed_with(token: str) -> DigestSubscription | None:
    """The feed at an address with that token; None if it is revoked, switched off, or its person
    cannot see the topic any more."""
    rows = DigestSubscription.objects.filter(carrier=FEED.id, secret=token, is_on=True)
    feed = rows.select_related("person", "watch__topic").first()
    if feed is None or not feed.person.is_active:
        return None
    return feed if visible_watches(feed.person).filter(pk=feed.watch_id).exists() else None


def subscriptions_of(watch: Watch, person: User) -> dict[str, DigestSubscription]:
    """A person's subscriptions by the name of the carrier."""
    rows = DigestSubscription.objects.filter(watch=watch, person=person)
    return {row.carrier: row for row in rows}


def delivery_log(watch: Watch, person: User) -> QuerySet[Delivery]:
    """A person's last deliveries with their attempts, the newest first."""
    rows = Delivery.objects.filter(subscription__watch=watch, subscription__person=person)
    log = Prefetch("log", DeliveryAttempt.objects.order_by("-pk"))
    return rows.select_related("subscription", "digest").prefetch_related(log)[:LOG_ROWS]


def _token() -> str:
    return secrets.token_urlsafe(32)
