"""The status of a crawl: its counts, its hosts, the head of the frontier."""

from __future__ import annotations

from collections import Counter

import numpy as np

from apps.engine.events import HostState, QueueHead, Totals
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.url_states import UrlState
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.strategies.explains import Explains

HEAD = 100


def totals(
    frontier: Frontier, pages: int, requests: int, errors: Counter[str], reorder_seconds: float
) -> Totals:
    """The current counts; a URL in flight counts as waiting."""
    return Totals(
        pages=pages,
        requests=requests,
        discovered=len(frontier),
        waiting=frontier.waiting + frontier.counts[UrlState.IN_FLIGHT],
        failed=frontier.counts[UrlState.FAILED],
        excluded={reason: n for reason, n in frontier.excluded.items() if n},
        errors=dict(errors),
        reorder_seconds=reorder_seconds,
    )


def host_state(frontier: Frontier, name: str, now: float) -> HostState:
    """A host's delay, its remaining wait in seconds, and its counts."""
    host = frontier.hosts.get_or_create(name)
    return HostState(
        host=name,
        pages=host.pages,
        failures=host.failures,
        waiting=host.waiting,
        delay=host.delay,
        wait=max(0.0, host.next_at - now),
        blocked=host.blocked,
    )


def queue_head(frontier: Frontier, strategy: Strategy, now: float) -> tuple[QueueHead, ...]:
    """The best waiting links, best first."""
    best = frontier.head(HEAD)
    leading = [""] * len(best)
    if isinstance(strategy, Explains):
        leading = strategy.leading_terms(np.array(best, np.int64))
    return tuple(
        QueueHead(
            number=number,
            url=frontier.urls[number],
            priority=frontier.priority[number],
            parent=frontier.parent[number],
            parents=frontier.links_seen(number),
            wait=max(0.0, frontier.host_of(number).next_at - now),
            leading_term=term,
        )
        for number, term in zip(best, leading, strict=True)
    )
