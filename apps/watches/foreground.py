"""Carries visits out in this process, at a given moment, without workers, and sends what they have
brought."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from apps.crawls.lifecycle.lease import claim
from apps.crawls.running.runner import Runner
from apps.jobs import queue
from apps.jobs.models import Job
from apps.jobs.tasks import run
from apps.watches.deliveries import retry_due
from apps.watches.digests import begin_digests
from apps.watches.models import Delivery, Digest, Watch, WatchVisit
from apps.watches.visits import scheduling
from apps.watches.visits.planning import Policy
from apps.watches.visits.settling import settle
from apps.watches.visits.visiting import begin


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


def send_digests(now: datetime) -> Iterator[Delivery]:
    """Composes the digests that are due and yields each delivery after an attempt. Where a site
    runs, what its workers have begun is left to them."""
    begin_digests(now)
    for digest in Digest.objects.filter(composed_at=None).order_by("pk"):
        _work(digest)
    retry_due(now)
    waiting = Delivery.objects.filter(status=Delivery.Fate.WAITING, next_at__lte=now)
    for delivery in list(waiting.order_by("pk")):
        if _work(delivery):
            delivery.refresh_from_db()
            yield delivery


def _work(job: Job) -> bool:
    """Does a job that waits, as a worker would; False if somebody else does."""
    return run(job._meta.label_lower, job.pk, job.job_attempt) == "done"
