"""The background job of a visit: it carries out the next step."""

from __future__ import annotations

from apps.watches.models import WatchVisit
from apps.watches.visits.scheduling import UNDER_WAY
from apps.watches.visits.settling import settle
from apps.watches.visits.visiting import begin


def advance(visit: WatchVisit) -> None:
    """Plans a visit and starts its crawl, or settles one whose crawl has ended.

    While the crawl goes on there is nothing to do: the worker that started it was killed before it
    had noted that its own step was done.
    """
    if visit.stage == WatchVisit.Stage.PLANNED:
        begin(visit)
    elif visit.stage == WatchVisit.Stage.CRAWLING and not _is_crawling(visit):
        settle(visit)


def _is_crawling(visit: WatchVisit) -> bool:
    return visit.crawl is not None and visit.crawl.state in UNDER_WAY
