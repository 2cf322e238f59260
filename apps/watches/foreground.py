"""Carries visits out in this process, at a given moment, without workers."""

from __future__ import annotations

from datetime import datetime

from apps.crawls.lifecycle.lease import claim
from apps.crawls.running.runner import Runner
from apps.jobs import queue
from apps.watches import scheduling
from apps.watches.models import Watch, WatchVisit
from apps.watches.planning import Policy
from apps.watches.settling import settle
from apps.watches.visiting import begin


def run_due(now: datetime, watch: Watch | None = None) -> list[WatchVisit]:
    """Carries out the visits that are due at a moment, of one watch or of all."""
    scheduling.tick(now)
    visits = WatchVisit.objects.filter(ended_at=None, stage=WatchVisit.Stage.PLANNED)
    if watch is not None:
        visits = visits.filter(watch=watch)
    return [run_visit(visit) for visit in visits.order_by("pk")]


def run_visit(visit: WatchVisit, policy: Policy | None = None) -> WatchVisit:
    """Plans a visit, runs its crawl and settles it."""
    queue.claim_here(visit)
    crawl = begin(visit, policy)
    if crawl is not None:
        claimed = claim(crawl.pk, crawl.epoch)
        if claimed is not None:
            Runner(claimed, keep=True).run()
        visit.refresh_from_db()
        settle(visit)
    queue.finish(visit)
    return visit
