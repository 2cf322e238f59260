"""Digests of a watch: what was sent, and each person's own choice of carriers."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from django.contrib.auth.models import User
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from ninja import Router, Schema, Status
from pydantic import StringConstraints

from apps.accounts.requests import SignedInRequest
from apps.api.paging import ListPage, PagingQuery, Word, paged
from apps.api.refusals import Refusal
from apps.api.topics.watches import visible_watch
from apps.watches.carriers.catalogue import CARRIERS
from apps.watches.carriers.feed import FEED
from apps.watches.deliveries import carrier_refusal
from apps.watches.digest_text import text_of, title_of
from apps.watches.models import Delivery, Digest, DigestSubscription, Watch
from apps.watches.search_news import content_for
from apps.watches.subscriptions import (
    choose_carrier,
    delivery_log,
    feed_of,
    renew_secret,
    send_test,
    subscriptions_of,
)

router = Router(tags=["watches"])
Target = Annotated[str, StringConstraints(max_length=2_000, pattern="^[^\\x00]*$")]


class DigestOut(Schema):
    """A digest as it is sent to you: `contains` is news or a sign_of_life."""

    id: int
    visit: int | None
    contains: str
    at: datetime
    title: str
    text: str


class DigestPage(ListPage):
    items: list[DigestOut]


class SubscriptionOut(Schema):
    """Your choice of a carrier. `refusal` is why it cannot be used on this site, or empty. `secret`
    is the key of a webhook's signatures; the feed has its in `address`, a path of this site. At
    `tested_at` a test message arrived."""

    carrier: str
    title: str
    is_on: bool
    target: str
    sign_of_life: bool
    searches_only: bool
    address: str
    secret: str
    tested_at: datetime | None
    refusal: str


class SubscriptionSent(Schema):
    """Fields that are missing stay as they are. `target` is a mail address or a web address; with
    `searches_only` you get what your watched searches match, and no digest of a visit in which they
    match nothing."""

    is_on: bool = True
    target: Target | None = None
    sign_of_life: bool | None = None
    searches_only: bool | None = None


class AttemptOut(Schema):
    at: datetime
    is_accepted: bool
    answer: str


class DeliveryOut(Schema):
    """A digest, or without one a test message, on its way: waiting, sent or given_up."""

    id: int
    carrier: str
    digest: int | None
    status: str
    attempts: int
    next_at: datetime | None
    sent_at: datetime | None
    log: list[AttemptOut]


@router.get(
    "/{int:topic_id}/watch/digests",
    response={200: DigestPage, 404: Refusal},
    summary="List digests",
)
def list_digests(request: SignedInRequest, topic_id: int, paging: PagingQuery) -> Any:
    """The newest first; a visit that brought nothing has none."""
    rows = Digest.objects.filter(
        watch=visible_watch(request, topic_id), composed_at__isnull=False
    ).exclude(contains=Digest.Content.EMPTY)
    newest = rows.select_related("visit").order_by("-at", "-pk")
    return paged(newest, paging, lambda digest: _digest(digest, request.user))


@router.get(
    "/{int:topic_id}/watch/subscriptions",
    response={200: list[SubscriptionOut], 404: Refusal},
    summary="List your carriers",
)
def list_subscriptions(request: SignedInRequest, topic_id: int) -> Any:
    """Every carrier with your own choice."""
    watch = visible_watch(request, topic_id)
    feed_of(watch, request.user, timezone.now())
    chosen = subscriptions_of(watch, request.user)
    return [_subscription(name, chosen.get(name)) for name in CARRIERS]


@router.put(
    "/{int:topic_id}/watch/subscriptions/{carrier}",
    response={200: SubscriptionOut, 404: Refusal, 422: Refusal},
    summary="Choose a carrier",
)
def choose(request: SignedInRequest, topic_id: int, carrier: Word, sent: SubscriptionSent) -> Any:
    """Switches a carrier on or off for you; a new target gets a test message."""
    chosen = choose_carrier(
        visible_watch(request, topic_id),
        request.user,
        carrier,
        timezone.now(),
        is_on=sent.is_on,
        target=sent.target,
        sign_of_life=sent.sign_of_life,
        searches_only=sent.searches_only,
    )
    return _subscription(carrier, chosen)


@router.post(
    "/{int:topic_id}/watch/subscriptions/{carrier}/test",
    response={202: SubscriptionOut, 404: Refusal, 422: Refusal},
    summary="Send a test message",
)
def send_test_message(request: SignedInRequest, topic_id: int, carrier: Word) -> Any:
    """Sends a test message in the background; the deliveries have the answer."""
    subscription = _choice(visible_watch(request, topic_id), request, carrier)
    send_test(subscription, timezone.now())
    return Status(202, _subscription(carrier, subscription))


@router.post(
    "/{int:topic_id}/watch/subscriptions/{carrier}/secret",
    response={200: SubscriptionOut, 404: Refusal},
    summary="Renew a secret",
)
def renew(request: SignedInRequest, topic_id: int, carrier: Word) -> Any:
    """Another address of the feed, or another key of the webhook; the former one ends at once."""
    subscription = _choice(visible_watch(request, topic_id), request, carrier)
    renew_secret(subscription)
    return _subscription(carrier, subscription)


@router.get(
    "/{int:topic_id}/watch/deliveries",
    response={200: list[DeliveryOut], 404: Refusal},
    summary="List your deliveries",
)
def list_deliveries(request: SignedInRequest, topic_id: int) -> Any:
    """Your last twenty, with each attempt, the newest first."""
    return [_delivery(row) for row in delivery_log(visible_watch(request, topic_id), request.user)]


def _choice(watch: Watch, request: SignedInRequest, carrier: str) -> DigestSubscription:
    return get_object_or_404(DigestSubscription, watch=watch, person=request.user, carrier=carrier)


def _digest(digest: Digest, person: User) -> dict[str, Any]:
    content = content_for(digest, person)
    return {
        "id": digest.pk,
        "visit": digest.visit.number if digest.visit else None,
        "contains": digest.contains,
        "at": digest.at,
        "title": title_of(content),
        "text": text_of(content),
    }


def _subscription(name: str, chosen: DigestSubscription | None) -> dict[str, Any]:
    is_feed = name == FEED.id
    address = reverse("watch:feed", args=[chosen.secret]) if chosen and is_feed else ""
    return {
        "carrier": name,
        "title": CARRIERS[name].title,
        "is_on": bool(chosen and chosen.is_on),
        "target": chosen.target if chosen else "",
        "sign_of_life": chosen.sign_of_life if chosen else True,
        "searches_only": bool(chosen and chosen.searches_only),
        "address": address,
        "secret": "" if is_feed or not chosen else chosen.secret,
        "tested_at": chosen.tested_at if chosen else None,
        "refusal": carrier_refusal(name),
    }


def _delivery(delivery: Delivery) -> dict[str, Any]:
    return {
        "id": delivery.pk,
        "carrier": delivery.subscription.carrier,
        "digest": delivery.digest_id,
        "status": delivery.status,
        "attempts": delivery.attempts,
        "next_at": delivery.next_at,
        "sent_at": delivery.sent_at,
        "log": list(delivery.log.all()),
    }
