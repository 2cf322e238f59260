"""What workers do for a visit: the next step, whichever it is."""

from __future__ import annotations

from apps.watches.models import WatchVisit
from apps.watches.settling import settle
from apps.watches.visiting import begin


def advance(visit: WatchVisit) -> None:
    """Plans a visit and starts its crawl, or settles one whose crawl has ended."""
    if visit.stage == WatchVisit.Stage.PLANNED:
        begin(visit)
    elif visit.stage == WatchVisit.Stage.CRAWLING:
        settle(visit)
