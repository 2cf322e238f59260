"""The age of the live page's figures: of the crawl's last commit and of its newest page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from django.conf import settings
from django.utils import timezone

from apps.crawls.models import Crawl
from apps.screens.live.live_state import LiveState


@dataclass(frozen=True, slots=True)
class Ages:
    """Seconds since the crawl's last commit, None without a runner; and since its newest page, None
    without pages."""

    commit: float | None
    page: float | None


@dataclass(frozen=True, slots=True)
class FeedHeartbeat:
    """Says that the feed is alive and has nothing new since sample `seq`."""

    kind: Literal["heartbeat"]
    seq: int
    ages: Ages


def ages(state: LiveState) -> Ages:
    """The ages now, by the server's clock alone."""
    newest = state.pages[0].fetched_at if state.pages else None
    return Ages(_since(_committed_at(state.crawl)), _since(newest))


def heartbeat(state: LiveState) -> FeedHeartbeat:
    """A heartbeat; it only reads the crawl's lease from the database."""
    state.crawl.refresh_from_db(fields=["lease_until"])
    return FeedHeartbeat("heartbeat", state.trajectory.seq, ages(state))


def _committed_at(crawl: Crawl) -> datetime | None:
    """When the lease was last renewed; each commit renews it."""
    if crawl.lease_until is None:
        return None
    return crawl.lease_until - timedelta(seconds=settings.LEASE_SECONDS)


def _since(moment: datetime | None) -> float | None:
    return None if moment is None else max(0.0, (timezone.now() - moment).total_seconds())
