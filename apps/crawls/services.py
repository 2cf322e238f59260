"""Everything that changes a crawl."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone

from apps.crawls import records
from apps.crawls.earlier import earlier_crawls
from apps.crawls.given import freeze_sources
from apps.crawls.models import Change, Crawl, Web
from apps.crawls.ownership import enqueue
from apps.crawls.rules import BadRule, politeness_rules, scope_rules
from apps.engine.errors import BadParameter, UnknownStrategy
from apps.engine.frontier.parents import POLICIES
from apps.engine.intelligence.strategies import strategy as strategy_named
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.model import Need, State, StopReason
from apps.topics.models import Topic
from apps.topics.snapshots import snapshot

REQUESTS_A_PAGE = 5
JUDGES = ("separate", "lc", "sl")
MOST_PAGES = 10_000_000


class CrawlRefused(Exception):
    """A crawl cannot be made or changed like this; `field` names where, `message` says why."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


def create_crawl(
    owner: AbstractUser,
    topic: Topic,
    web: Web,
    *,
    strategy: str,
    budget: int,
    parameters: Mapping[str, Any] | None = None,
    random_seed: int | None = None,
    scope: Mapping[str, Any] | None = None,
    politeness: Mapping[str, Any] | None = None,
    over: str | None = None,
    parent_policy: str = "max",
    judge: str = "separate",
    request_limit: int | None = None,
    earlier: Crawl | None = None,
) -> Crawl:
    """A draft; `earlier` is the crawl it learns from. Raises CrawlRefused, naming the field that
    is wrong."""
    if not 1 <= budget <= MOST_PAGES:
        raise CrawlRefused("budget", f"Give a number of pages from 1 to {MOST_PAGES:,}.")
    if parent_policy not in POLICIES:
        raise CrawlRefused("parent_policy", f"Choose one of {', '.join(POLICIES)}.")
    if judge not in JUDGES:
        raise CrawlRefused("judge", f"Choose one of {', '.join(JUDGES)}.")
    if random_seed is not None and not 0 <= random_seed < 2**62:
        raise CrawlRefused("random_seed", "Give a whole number from 0 up, below 2^62.")
    if request_limit is not None and not 1 <= request_limit <= REQUESTS_A_PAGE * MOST_PAGES:
        raise CrawlRefused("request_limit", "Give a number of requests from 1 up.")
    built = _built(strategy, parameters or {})
    _check_earlier(owner, topic, web, built, earlier)
    return Crawl.objects.create(
        owner=owner,
        topic=topic,
        web=web,
        over=_over(web, over),
        strategy=strategy,
        parameters=built.values(),
        earlier=earlier,
        random_seed=random.SystemRandom().randrange(1, 2**31) if random_seed is None
        else random_seed,
        budget=budget,
        request_limit=request_limit or REQUESTS_A_PAGE * budget,
        scope=_rules(scope_rules, scope or {}),
        politeness=_rules(politeness_rules, politeness or {}),
        parent_policy=parent_policy,
        judge=judge,
    )


def _built(strategy: str, values: Mapping[str, Any]) -> Strategy:
    try:
        return strategy_named(strategy).build(values)
    except UnknownStrategy as error:
        raise CrawlRefused("strategy", str(error)) from None
    except BadParameter as error:
        raise CrawlRefused(str(error.details.get("parameter", "parameters")), str(error)) from None


def _check_earlier(
    owner: AbstractUser, topic: Topic, web: Web, strategy: Strategy, earlier: Crawl | None
) -> None:
    if earlier is None and Need.CRAWL in strategy.needed():
        raise CrawlRefused(
            "earlier",
            f"{strategy.title} learns from an earlier crawl: choose a finished or paused one of"
            " this topic, or of the same recorded web.",
        )
    if earlier is not None and not earlier_crawls(owner, topic, web).filter(
        pk=earlier.pk
    ).exists():
        raise CrawlRefused(
            "earlier",
            f"Crawl {earlier.pk} cannot be learnt from: it must have pages, be finished or paused,"
            " and be of this topic or of the same recorded web.",
        )


def _over(web: Web, over: str | None) -> str:
    if web.source == Web.Source.LIVE:
        if over == Crawl.Over.RECORD:
            raise CrawlRefused("over", "The live Web can only be crawled over HTTP.")
        return Crawl.Over.HTTP
    if over == Crawl.Over.HTTP and web.served_port is None:
        raise CrawlRefused(
            "over", f"{web.name} is not served: start `manage.py serve_web {web.name}` first."
        )
    return over or Crawl.Over.RECORD


def _rules(read: Callable[..., dict[str, Any]], values: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return read(values)
    except BadRule as error:
        raise CrawlRefused(error.name, error.message) from None


def start(crawl: Crawl) -> None:
    """Queues a draft for a worker, with the topic frozen as it stands now. Raises CrawlRefused."""
    _freeze_topic(crawl)
    _queue(crawl, State.DRAFT)


def start_here(crawl: Crawl) -> Crawl:
    """Makes a draft ready to be claimed by this very process, no worker being asked.

    Raises CrawlRefused.
    """
    _freeze_topic(crawl)
    crawl.state, crawl.reason = State.QUEUED, StopReason.WAITING_FOR_A_WORKER
    crawl.enqueued_at = timezone.now()
    crawl.save(update_fields=["state", "reason", "enqueued_at"])
    return crawl


def _freeze_topic(crawl: Crawl) -> None:
    if crawl.snapshot_id is None:
        if not crawl.topic.seeds.exists():
            raise CrawlRefused(
                "seeds", "The topic has no seeds: give it addresses where the crawl is to begin."
            )
        crawl.snapshot = snapshot(crawl.topic)
        crawl.save(update_fields=["snapshot"])
    freeze_sources(crawl)


def _queue(crawl: Crawl, *from_states: str) -> None:
    """Moves a crawl that nobody runs into the queue; a state that does not fit is refused."""
    with transaction.atomic():
        moved = Crawl.objects.filter(pk=crawl.pk, state__in=from_states, runner="").update(
            state=State.QUEUED, reason=StopReason.WAITING_FOR_A_WORKER, reason_details={},
            desired=Crawl.Desired.RUN,
        )
        if not moved:
            crawl.refresh_from_db()
            raise CrawlRefused("state", f"The crawl is {crawl.state}; it cannot be started now.")
        enqueue(crawl.pk, Crawl.objects.values_list("epoch", flat=True).get(pk=crawl.pk))
    crawl.refresh_from_db()


def pause(crawl: Crawl, by: AbstractUser | None = None) -> None:
    """Asks the runner to pause; a crawl that still waits for a worker pauses at once."""
    if not _end_at_once(crawl, State.PAUSED, StopReason.PAUSED_BY_USER, by, State.QUEUED):
        _desire(crawl, Crawl.Desired.PAUSE, State.RUNNING, State.QUEUED)


def stop(crawl: Crawl, by: AbstractUser | None = None) -> None:
    """Asks the runner to stop; a crawl that nobody runs stops at once."""
    if _end_at_once(
        crawl, State.FINISHED, StopReason.STOPPED_BY_USER, by, State.QUEUED, State.PAUSED
    ):
        return
    _desire(crawl, Crawl.Desired.STOP, State.RUNNING, State.QUEUED, State.STOPPING)
    Crawl.objects.filter(pk=crawl.pk, state=State.RUNNING).exclude(runner="").update(
        state=State.STOPPING, reason=StopReason.STOPPED_BY_USER
    )
    crawl.refresh_from_db()


def _end_at_once(
    crawl: Crawl, state: State, reason: StopReason, by: AbstractUser | None,
    *from_states: str,
) -> bool:
    """Ends a crawl that no process runs; the epoch moves on, so that queued tasks are void."""
    with transaction.atomic():
        idle = Crawl.objects.filter(
            pk=crawl.pk, runner="", state__in=from_states
        )
        current = idle.select_for_update().first()
        if current is None:
            return False
        ended = timezone.now() if state is State.FINISHED else None
        idle.update(state=state, reason=reason, epoch=current.epoch + 1, finished_at=ended,
                    reason_details={"pages": current.pages, "waiting": current.waiting})
        records.write_event(
            current, str(state), {"reason": reason}, request=current.requests,
            pages=current.pages, by_id=by.pk if by else None,
        )
    crawl.refresh_from_db()
    return True


def _desire(crawl: Crawl, desired: str, *states: str) -> None:
    if not Crawl.objects.filter(pk=crawl.pk, state__in=states).update(desired=desired):
        crawl.refresh_from_db()
        raise CrawlRefused("state", f"The crawl is {crawl.state}; that cannot be done now.")
    crawl.refresh_from_db()


def resume(crawl: Crawl) -> None:
    """Goes on with a paused crawl, or with one that a person stopped or that failed."""
    _queue(crawl, State.PAUSED, State.FINISHED, State.FAILED)


def continue_with(crawl: Crawl, budget: int, by: AbstractUser | None = None) -> None:
    """Goes on with a finished crawl up to a larger number of pages."""
    if budget <= crawl.pages:
        raise CrawlRefused(
            "budget", f"The crawl already has {crawl.pages:,} pages: give a larger number."
        )
    change_budget(crawl, budget, by)
    resume(crawl)


def change_budget(crawl: Crawl, budget: int, by: AbstractUser | None = None) -> None:
    """A new limit on pages; the limit on requests grows in step."""
    if not 1 <= budget <= MOST_PAGES:
        raise CrawlRefused("budget", f"Give a number of pages from 1 to {MOST_PAGES:,}.")
    if budget < crawl.pages:
        raise CrawlRefused(
            "budget", f"The crawl already has {crawl.pages:,} pages: give that number or more."
        )
    limit = max(crawl.request_limit, REQUESTS_A_PAGE * budget)
    payload = {
        "pages": budget, "request_limit": limit,
        "before": {"pages": crawl.budget, "request_limit": crawl.request_limit},
    }
    ask(crawl, "budget", payload, by, budget=budget, request_limit=limit)


def change_delta(crawl: Crawl, value: float, by: AbstractUser | None = None) -> None:
    """A new δ, from the next page on."""
    if "delta" not in crawl.parameters:
        raise CrawlRefused("delta", "This strategy has no δ.")
    if not 0 <= value <= 1:
        raise CrawlRefused("delta", "δ lies between 0 and 1.")
    ask(crawl, "delta", {"value": value, "before": crawl.parameters["delta"]}, by,
        parameters={**crawl.parameters, "delta": value})


def ask(
    crawl: Crawl, kind: str, payload: dict[str, Any], by: AbstractUser | None, **row: Any
) -> None:
    """Leaves a change for the runner and shows the wanted value in the row at once.

    A crawl that nobody runs takes it at its next start, before anything is fetched.
    """
    with transaction.atomic():
        Change.objects.create(crawl=crawl, kind=kind, payload=payload, by=by)
        Crawl.objects.filter(pk=crawl.pk).update(**row)
    crawl.refresh_from_db()


def delete(crawl: Crawl) -> None:
    """Deletes a crawl that nobody runs, with all it gathered. There is no way back."""
    with transaction.atomic():
        idle = Crawl.objects.filter(pk=crawl.pk, runner="").exclude(
            state__in=(State.RUNNING, State.STOPPING)
        )
        if not idle.update(epoch=crawl.epoch + 1, state=State.FINISHED):
            raise CrawlRefused("state", "Stop the crawl first.")
        Crawl.objects.filter(pk=crawl.pk).delete()
