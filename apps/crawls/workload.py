"""The load of the site, for the administrators' page and for `/metrics`."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import Count, Min, Sum
from django.utils import timezone
from django_q.brokers import get_broker

from apps.crawls.lifecycle.lease import RUNNABLE
from apps.crawls.load import CrawlLoad
from apps.crawls.models import Crawl
from apps.engine.codes import Bottleneck, State
from apps.jobs.queue import waiting_since


@dataclass(frozen=True, slots=True)
class Workload:
    """Counts over every person's crawls.

    `states` has all states, `errors` failed requests by kind, `queues` the unclaimed tasks by
    cluster (`crawl`, `background`), empty while Redis carries them and does not answer.
    `oldest_wait` is how many seconds the crawl or job that has waited longest has waited, 0 if none
    waits. `limits` counts running crawls by their bottleneck, `coordinators_busy` the cores that
    their own processes keep busy.
    """

    states: dict[str, int]
    pages: int
    requests: int
    errors: dict[str, int]
    waiting_links: int
    queues: dict[str, int]
    workers: int
    workers_busy: int
    oldest_wait: float
    limits: dict[str, int]
    coordinators_busy: float


@dataclass(frozen=True, slots=True)
class Waiting:
    """The queue for workers: the numbers of crawls and of other tasks (None while Redis holds them
    and does not answer), and the longest wait in seconds."""

    crawls: int
    others: int | None
    longest: float


def waiting() -> Waiting:
    """The queue now."""
    crawls = Crawl.objects.filter(state=State.QUEUED).count()
    return Waiting(crawls, _queues().get("background"), _oldest_wait())


def workload() -> Workload:
    """The load in the database and in the broker now."""
    totals = Crawl.objects.aggregate(
        pages=Sum("pages"), requests=Sum("requests"), waiting=Sum("waiting")
    )
    running = Crawl.objects.exclude(runner="").values_list("load", flat=True)
    loads = [CrawlLoad.of(load) for load in running]
    return Workload(
        states=_states(),
        pages=totals["pages"] or 0,
        requests=totals["requests"] or 0,
        errors=_errors(),
        waiting_links=totals["waiting"] or 0,
        queues=_queues(),
        workers=settings.CRAWLS_AT_ONCE,
        workers_busy=Crawl.objects.filter(state__in=RUNNABLE).exclude(runner="").count(),
        oldest_wait=_oldest_wait(),
        limits={code.value: 0 for code in Bottleneck} | Counter(load.bottleneck for load in loads),
        coordinators_busy=round(sum(load.coordinator or 0.0 for load in loads), 3),
    )


def _states() -> dict[str, int]:
    counted = Crawl.objects.order_by().values_list("state").annotate(Count("pk"))
    return {state.value: 0 for state in State} | dict(counted)


def _errors() -> dict[str, int]:
    total: Counter[str] = Counter()
    for errors in Crawl.objects.values_list("errors", flat=True).iterator():
        total.update(errors)
    return dict(sorted(total.items()))


def _queues() -> dict[str, int]:
    """Tasks that wait for a worker, whichever broker carries them."""
    if not settings.REDIS_URL:
        return _queued()
    from redis import RedisError

    try:
        return _queued()
    except RedisError:
        return {}


def _queued() -> dict[str, int]:
    clusters = {"crawl": settings.CRAWL_CLUSTER, "background": settings.BACKGROUND_CLUSTER}
    return {name: int(get_broker(cluster).queue_size()) for name, cluster in clusters.items()}


def _oldest_wait() -> float:
    """Seconds. A crawl waits until it is claimed, a job until a worker takes it."""
    waits = Crawl.objects.filter(state__in=RUNNABLE, runner="")
    since: list[datetime | None] = [
        waits.aggregate(at=Min("enqueued_at"))["at"],
        waiting_since(),
    ]
    times = [at for at in since if at is not None]
    return max(0.0, (timezone.now() - min(times)).total_seconds()) if times else 0.0
