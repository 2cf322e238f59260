"""The words beside a crawl's state in the list, and when they must be updated."""

from __future__ import annotations

from datetime import datetime

from apps.crawls.models import Crawl
from apps.crawls.selectors import place_in_queue
from apps.engine.codes import State, StopReason
from apps.figures.quantities import roughly, speed
from apps.screens.stamps import stamp_of

NO_ANSWER = "no answer from its worker; another one takes over automatically"


def said(crawl: Crawl, reason: str, now: datetime) -> str:
    """Speed and time left of a crawl that learns, NO_ANSWER if its worker is silent, else the
    reason of its state."""
    if _silent(crawl, now):
        return NO_ANSWER
    learns = (crawl.state, crawl.reason) == (State.RUNNING, StopReason.LEARNING)
    pace = crawl.metrics.get("pages_per_second")
    if not (learns and pace and crawl.desired == Crawl.Desired.RUN):
        return reason
    left = roughly(max(0, crawl.budget - crawl.pages) / pace)
    return f"{speed(pace)} pages/s, about {left} left"


def stamp(crawl: Crawl, now: datetime) -> str:
    """A short text that changes whenever anything in the row does."""
    shown = (crawl.commits, crawl.state, crawl.reason, crawl.desired, bool(crawl.runner),
             crawl.budget, _silent(crawl, now), place_in_queue(crawl))
    return stamp_of(repr(shown))


def _silent(crawl: Crawl, now: datetime) -> bool:
    """Whether the lease of its runner has expired."""
    lease = crawl.lease_until
    return bool(crawl.runner) and lease is not None and lease < now
