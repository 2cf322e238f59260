"""Begins a visit: plans it, and starts its crawl."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q

from apps.crawls.commands.lifecycle.start import start
from apps.crawls.inputs.revisits import write_plan
from apps.crawls.models import Crawl, FailedRequest, Page
from apps.crawls.pages.bodies import OpenBodies
from apps.crawls.running.records import validators_of
from apps.engine.codes import Need
from apps.engine.errors import EngineError
from apps.engine.frontier.revisits import DueAddress, Revisits, marks_of
from apps.engine.intelligence.strategies import strategy
from apps.engine.networking.politeness import TRANSIENT
from apps.jobs import queue
from apps.watches.models import Watch, WatchedPage, WatchVisit
from apps.watches.visits.gathering import take_crawls
from apps.watches.visits.planning import Policy, VisitPlan, plan_visit

LIKE_THE_PATTERN = (
    "web over strategy parameters parent_policy pick_order judge scope politeness"
).split()
ALONE = "learner"
"""The strategy of visits if that of the pattern goes by another crawl, which has no new pages."""
LISTS = (WatchedPage.AddressKind.FEED, WatchedPage.AddressKind.SITEMAP)


def begin(visit: WatchVisit, policy: Policy | None = None) -> Crawl | None:
    """Plans a visit and starts its crawl, in one transaction; None if nothing is due, and then the
    visit is over, or if another attempt does it.

    The crawl waits for a worker, as any other.
    """
    watch = visit.watch
    take_crawls(watch, lambda: _is_wanted(visit))
    if not _is_wanted(visit):
        return None
    plan = plan_visit(watch, visit, visit.began_at, policy)
    if not plan.due:
        _leave_planning(visit, stage=WatchVisit.Stage.SETTLED, ended_at=visit.began_at)
        return None
    met, due = marks_of(_addresses_had(watch)), tuple(_due_addresses(plan.due))
    with transaction.atomic():
        if not _leave_planning(visit, stage=WatchVisit.Stage.CRAWLING, planned=len(plan.due)):
            return None
        crawl = Crawl.objects.create(**_row(watch, visit, plan))
        write_plan(crawl, Revisits(due, met))
        start(crawl)
        WatchVisit.objects.filter(pk=visit.pk).update(crawl=crawl)
    visit.refresh_from_db()
    return crawl


def _is_wanted(visit: WatchVisit) -> bool:
    """Whether this attempt is the current one, or the visit is done without workers."""
    return queue.heartbeat(visit) or not visit.is_under_way


def _leave_planning(visit: WatchVisit, **values: Any) -> bool:
    """Writes what the plan has led to; False, with nothing written, if another attempt has."""
    planned = WatchVisit.objects.filter(pk=visit.pk, stage=WatchVisit.Stage.PLANNED)
    is_first = bool(planned.update(**values))
    visit.refresh_from_db()
    return is_first


def _row(watch: Watch, visit: WatchVisit, plan: VisitPlan) -> dict[str, Any]:
    pattern = watch.pattern or _newest(watch)
    values = {name: getattr(pattern, name) for name in LIKE_THE_PATTERN}
    if Need.CRAWL in strategy(pattern.strategy).build(pattern.parameters).all_needs():
        values |= {"strategy": ALONE, "parameters": strategy(ALONE).build({}).values()}
    return {
        **values,
        "scope": {**pattern.scope, "site_lists": pattern.source.sends_requests},
        "owner": watch.owner,
        "topic": watch.topic,
        "budget": plan.requests,
        "request_limit": plan.requests,
        "random_seed": visit.number,
        "name": f"Visit {visit.number}",
    }


def _newest(watch: Watch) -> Crawl:
    """The topic's newest crawl, if the pattern of a watch was deleted."""
    return Crawl.objects.filter(topic=watch.topic_id).order_by("-pk")[0]


def _due_addresses(pages: Sequence[WatchedPage]) -> Iterator[DueAddress]:
    """The addresses with what makes their requests conditional; of a page that no visit has asked
    for, from its stored copy."""
    with OpenBodies() as bodies:
        for page in pages:
            etag, modified = page.etag, page.last_modified
            if page.crawl is not None and page.seq is not None and not page.visits:
                etag, modified = _stored_validators(bodies, page.crawl, page.seq)
            copy = page.crawl_id or 0, page.seq or 0
            yield DueAddress(page.url, etag, modified, page.kind in LISTS, *copy)


def _stored_validators(bodies: OpenBodies, crawl: Crawl, seq: int) -> tuple[str, str]:
    copy = crawl.pages_fetched.filter(seq=seq).first()
    if copy is None or not copy.file:
        return "", ""
    try:
        etag, modified = validators_of(bodies.of(crawl).answer(copy))
    except EngineError:
        return "", ""
    return etag, modified


def _addresses_had(watch: Watch) -> Iterator[str]:
    """Every address that the topic's crawls and visits have had an answer from."""
    crawls = Crawl.objects.filter(topic=watch.topic_id)
    for model in (Page, FailedRequest):
        rows: Any = model.objects.filter(crawl__in=crawls).order_by()
        if model is FailedRequest:
            rows = rows.exclude(Q(kind__in=TRANSIENT) | Q(kind__startswith="http_5"))
        for url, final_url in rows.values_list("url", "final_url").iterator(2_000):
            yield url
            if final_url != url:
                yield final_url
