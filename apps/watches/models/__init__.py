"""The models of watches."""

from __future__ import annotations

from apps.watches.models.digests import (
    Delivery,
    DeliveryAttempt,
    Digest,
    DigestSubscription,
    SearchNews,
    SeenMark,
)
from apps.watches.models.pages import Observation, PageState, PageVersion, WatchedPage
from apps.watches.models.taught_block import TaughtBlock
from apps.watches.models.visits import WatchVisit
from apps.watches.models.watch import Watch

__all__ = [
    "Delivery",
    "DeliveryAttempt",
    "Digest",
    "DigestSubscription",
    "Observation",
    "PageState",
    "PageVersion",
    "SearchNews",
    "SeenMark",
    "TaughtBlock",
    "Watch",
    "WatchVisit",
    "WatchedPage",
]
