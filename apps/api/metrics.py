"""`/metrics`: the site's load in Prometheus' text format, version 0.0.4."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache

from apps.accounts.tokens import token_user
from apps.crawls.workload import Workload, workload
from apps.machines import registry

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
NO_ENTRY = (
    "Only for administrators: send Authorization: Bearer with an administrator's API token, or "
    "with the text of CRAWLSITE_METRICS_TOKEN.\n"
)


@never_cache
@login_not_required
def metrics(request: HttpRequest) -> HttpResponse:
    """The metrics, for an administrator's token or session, or the token in the settings.

    They contain nothing about anybody's pages or topics. Requests from this machine need a token
    too, since several people may share the machine.
    """
    if not _may_read(request):
        return HttpResponse(
            NO_ENTRY,
            status=401,
            content_type="text/plain; charset=utf-8",
            headers={"WWW-Authenticate": 'Bearer realm="metrics"'},
        )
    metric_lines = [*lines(workload()), *agent_lines()]
    return HttpResponse("".join(metric_lines), content_type=CONTENT_TYPE)


def _may_read(request: HttpRequest) -> bool:
    given = request.headers.get("Authorization", "")
    if not given:
        return bool(request.user.is_superuser)
    scheme, _, token = given.partition(" ")
    if scheme.lower() != "bearer":
        return False
    own = settings.METRICS_TOKEN
    if own and hmac.compare_digest(token.strip().encode(), own.encode()):
        return True
    user = token_user(token.strip())
    return user is not None and user.is_superuser


def lines(work: Workload) -> Iterator[str]:
    """The lines of the text format: help, type and samples of each metric."""
    yield from _metric("info", "gauge", "Version of crawlsite.", {"version": {settings.VERSION: 1}})
    yield from _metric("crawls", "gauge", "Crawls by state.", {"state": work.states})
    yield from _metric("pages", "gauge", "Pages fetched by all crawls.", work.pages)
    yield from _metric("requests", "gauge", "Requests made by all crawls.", work.requests)
    yield from _metric(
        "failed_requests", "gauge", "Requests that yielded no page, by kind.", {"kind": work.errors}
    )
    yield from _metric("waiting_links", "gauge", "Links waiting to be fetched.", work.waiting_links)
    yield from _metric(
        "queued_tasks",
        "gauge",
        "Tasks that no worker has claimed, by cluster.",
        {"cluster": work.queues},
    )
    yield from _metric("crawl_workers", "gauge", "Workers for crawls.", work.workers)
    yield from _metric(
        "crawl_workers_busy", "gauge", "Workers that are running a crawl.", work.workers_busy
    )
    yield from _metric(
        "oldest_wait_seconds",
        "gauge",
        "How long the oldest unclaimed task has waited.",
        round(work.oldest_wait, 3),
    )
    yield from _metric(
        "crawl_limits", "gauge", "Crawls that run, by what limits them.", {"limit": work.limits}
    )
    yield from _metric(
        "coordinator_busy_cores",
        "gauge",
        "Cores that the crawls' own processes keep busy.",
        work.coordinators_busy,
    )


def agent_lines() -> Iterator[str]:
    """The metrics of agents on other machines; none without Redis, or while it does not answer, so
    that the series have a gap instead of a wrong value."""
    if not settings.REDIS_URL:
        return
    try:
        agents, malformed = registry.load(), registry.malformed_entries()
    except registry.RedisDown:
        return
    yield from _metric(
        "agents", "gauge", "Agents that machines lend, by state.", {"state": agents.states}
    )
    yield from _metric(
        "agent_requests", "gauge", "Requests that these agents have out.", agents.out
    )
    yield from _metric(
        "agent_pages_per_second", "gauge", "Pages a second of these agents.", agents.rate
    )
    yield from _metric(
        "agent_busy_cores", "gauge", "Cores that these agents keep busy.", agents.busy
    )
    yield from _metric(
        "malformed_redis_entries",
        "gauge",
        "Entries of Redis that were skipped as malformed, by what they stand among.",
        {"among": malformed},
    )


Samples = float | Mapping[str, Mapping[str, float]]


def _metric(name: str, kind: str, words: str, samples: Samples) -> Iterator[str]:
    yield f"# HELP crawlsite_{name} {words}\n# TYPE crawlsite_{name} {kind}\n"
    if isinstance(samples, int | float):
        yield f"crawlsite_{name} {samples}\n"
        return
    for label, values in samples.items():
        for value, number in values.items():
            yield f'crawlsite_{name}{{{label}="{_escaped(value)}"}} {number}\n'


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
