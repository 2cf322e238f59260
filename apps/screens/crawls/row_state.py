"""The words beside a crawl's state in the list, and when they must be updated."""

from __future__ import annotations

from datetime import datetime

from apps.crawls.lifecycle.lease import is_unanswered
from apps.crawls.models import Crawl
from apps.crawls.script_warnings import script_warning
from apps.crawls.selectors import queue_position
from apps.engine.codes import State, StopReason
from apps.figures.quantities import number_of, roughly, speed
from apps.screens.stamps import stamp_of

SHORT = {
    StopReason.BUDGET_REACHED: "budget reached; {waiting:,} links still wait",
    StopReason.FRONTIER_EMPTY: "frontier empty after {fetched}",
    StopReason.PAUSED_BY_USER: "at page {pages:,}; {waiting:,} links wait",
    StopReason.STOPPED_BY_USER: "stopped at page {pages:,}; {waiting:,} links wait",
    StopReason.ALL_HOSTS_BLOCKED: "blocked by every host that has links; pages are kept",
}
NO_ANSWER = "no answer from its worker; another one takes over automatically"


def describe_state(crawl: Crawl, reason: str, now: datetime) -> str:
    """Speed and time left of a crawl that learns, NO_ANSWER if its worker is silent, else the
    reason of its state, where it is long in fewer words."""
    if _silent(crawl, now):
        return NO_ANSWER
    learns = (crawl.state, crawl.reason) == (State.RUNNING, StopReason.LEARNING)
    pace = crawl.metrics.get("pages_per_second")
    if not (learns and pace and crawl.desired == Crawl.Desired.RUN):
        return _short(crawl, reason)
    left = roughly(max(0, crawl.budget - crawl.pages) / pace)
    return f"{speed(pace)} pages/s, about {left} left"


def _short(crawl: Crawl, reason: str) -> str:
    """The reason on one line of the list, whose other columns have the pages and what to do."""
    at_rest = crawl.state in (State.PAUSED, State.FINISHED, State.FAILED)
    words = SHORT.get(StopReason(crawl.reason)) if at_rest and crawl.reason else None
    if words and script_warning(crawl):
        words += "; {script:,} of them need JavaScript"
    return (
        words.format(
            pages=crawl.pages,
            waiting=crawl.waiting,
            script=crawl.metrics.get("needs_javascript") or 0,
            fetched=number_of(crawl.pages, "page"),
        )
        if words
        else reason
    )


def stamp(crawl: Crawl, now: datetime) -> str:
    """A short text that changes whenever anything in the row does."""
    shown = (
        crawl.commits,
        crawl.state,
        crawl.reason,
        crawl.desired,
        bool(crawl.runner),
        crawl.budget,
        _silent(crawl, now),
        queue_position(crawl),
        is_unanswered(crawl),
    )
    return stamp_of(repr(shown))


def _silent(crawl: Crawl, now: datetime) -> bool:
    """Whether the lease of its runner has expired."""
    lease = crawl.lease_until
    return bool(crawl.runner) and lease is not None and lease < now
