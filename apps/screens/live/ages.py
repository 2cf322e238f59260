"""How old what the live page shows is: the crawl's last commit and its newest page."""

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
    """Seconds since the crawl last committed, None where no runner holds it; and since it fetched
    its newest page, None where it has none."""

    commit: float | None
    page: float | None


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Says that the feed is alive and has no more to send than what sample `seq` showed."""

    kind: Literal["heartbeat"]
    seq: int
    ages: Ages


def ages(reading: LiveState) -> Ages:
    """The ages as they stand now, counted by the server's clock alone."""
    newest = reading.pages[0].fetched_at if reading.pages else None
    return Ages(_since(_committed_at(reading.crawl)), _since(newest))


def heartbeat(reading: LiveState) -> Heartbeat:
    """A sign of life; of the database only the crawl's lease is asked for."""
    reading.crawl.refresh_from_db(fields=["lease_until"])
    return Heartbeat("heartbeat", reading.trajectory.seq, ages(reading))


def _committed_at(crawl: Crawl) -> datetime | None:
    """Each commit renews the lease from that moment on."""
    if crawl.lease_until is None:
        return None
    return crawl.lease_until - timedelta(seconds=settings.LEASE_SECONDS)


def _since(moment: datetime | None) -> float | None:
    return None if moment is None else max(0.0, (timezone.now() - moment).total_seconds())
