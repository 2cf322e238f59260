"""How a person is told: the carriers with what each would need, and the log of deliveries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User
from django.urls import reverse

from apps.accounts.requests import SignedInRequest
from apps.watches.carriers.carrier import Carrier
from apps.watches.carriers.catalogue import CARRIERS
from apps.watches.carriers.feed import FEED
from apps.watches.deliveries import carrier_refusal
from apps.watches.models import Delivery, DigestSubscription, Watch
from apps.watches.subscriptions import delivery_log, feed_of, subscriptions_of

STATES = {
    Delivery.Fate.WAITING: ("clock", "quiet", "on its way"),
    Delivery.Fate.SENT: ("check", "ok", "delivered"),
    Delivery.Fate.GIVEN_UP: ("cross", "bad", "given up"),
}


@dataclass(frozen=True, slots=True)
class CarrierRow:
    """A carrier and a person's subscription by it; `refusal` is why it cannot be used, `error` what
    is wrong with the `typed` target; `is_ticked` says whether it is on, or was to be."""

    carrier: Carrier
    subscription: DigestSubscription | None
    is_ticked: bool
    refusal: str
    typed: str
    error: str
    address: str
    last_test: Delivery | None

    @property
    def is_on(self) -> bool:
        return self.subscription is not None and self.subscription.is_on


@dataclass(frozen=True, slots=True)
class DeliveryRow:
    """A delivery of the log: what, by what carrier, its state in words and the last answer."""

    delivery: Delivery
    icon: str
    tone: str
    word: str
    answer: str
    at: datetime

    @property
    def needs_a_look(self) -> bool:
        """Whether it was not accepted: given up, failed, or waiting for another attempt."""
        is_tried_again = self.delivery.next_at is not None and self.delivery.attempts > 0
        return self.tone == "bad" or is_tried_again


def carrier_rows(
    watch: Watch, person: User, request: SignedInRequest, now: datetime, wrong: tuple[str, str, str]
) -> list[CarrierRow]:
    """All carriers; `wrong` are the carrier, the target and the error of a form that came back."""
    feed_of(watch, person, now)
    chosen = subscriptions_of(watch, person)
    return [_carrier(each, chosen.get(each.id), request, wrong) for each in CARRIERS.values()]


def _carrier(
    carrier: Carrier,
    subscription: DigestSubscription | None,
    request: SignedInRequest,
    wrong: tuple[str, str, str],
) -> CarrierRow:
    is_wrong = wrong[0] == carrier.id
    is_on = subscription is not None and subscription.is_on
    test = subscription.deliveries.filter(digest=None).first() if subscription else None
    return CarrierRow(
        carrier,
        subscription,
        request.POST.get("on") == "1" if is_wrong else is_on,
        carrier_refusal(carrier.id),
        wrong[1] if is_wrong else subscription.target if subscription else "",
        wrong[2] if is_wrong else "",
        feed_address(subscription, request) if subscription and carrier is FEED else "",
        test,
    )


def feed_address(subscription: DigestSubscription, request: SignedInRequest) -> str:
    """The address of a feed as a reader of feeds takes it."""
    base = settings.ADDRESS or request.build_absolute_uri("/").rstrip("/")
    return f"{base}{reverse('watch:feed', args=[subscription.secret])}"


def log_rows(watch: Watch, person: User) -> Sequence[DeliveryRow]:
    """The person's last deliveries."""
    return [_delivery(delivery) for delivery in delivery_log(watch, person)]


def _delivery(delivery: Delivery) -> DeliveryRow:
    icon, tone, word = STATES[Delivery.Fate(delivery.status)]
    last = next(iter(delivery.log.all()), None)
    answer = last.answer if last else delivery.job_problem
    if delivery.status == Delivery.Fate.WAITING and delivery.attempts:
        tone, word = "warn", "tried again"
    if delivery.job_state == Delivery.State.FAILED:
        icon, tone, word = "cross", "bad", "failed"
    return DeliveryRow(delivery, icon, tone, word, answer, last.at if last else delivery.created_at)
