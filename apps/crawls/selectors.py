"""Everything that reads crawls for people, commands and the API."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db.models import Q, QuerySet

from apps.accounts.sharing import shared_with
from apps.crawls.measures.curves import numbers
from apps.crawls.models import Crawl
from apps.engine.model import State
from apps.topics.models import Topic
from apps.topics.selectors import editable_topics, visible_topics


def visible_crawls(user: AbstractUser) -> QuerySet[Crawl]:
    """The crawls a person may see: their own, those shared with them, and those of topics that
    are."""
    return _crawls(user, to_edit=False)


def editable_crawls(user: AbstractUser) -> QuerySet[Crawl]:
    """The crawls a person may steer and label: their own, and those that are shared with them for
    editing, by themselves or with their topic."""
    return _crawls(user, to_edit=True)


def owned_crawls(user: AbstractUser) -> QuerySet[Crawl]:
    """The crawls a person may share and delete."""
    return Crawl.objects.filter(owner=user).select_related("topic", "web", "owner")


def _crawls(user: AbstractUser, *, to_edit: bool) -> QuerySet[Crawl]:
    which = (
        Q(owner=user)
        | Q(pk__in=shared_with(Crawl, user, to_edit=to_edit))
        | Q(topic__in=shared_with(Topic, user, to_edit=to_edit))
    )
    rows = Crawl.objects.filter(which).select_related("topic", "web", "owner")
    return rows.prefetch_related("shares")


def visible_recipes(user: AbstractUser) -> QuerySet[Crawl]:
    """The crawls whose recipe a person may have: it tells the topic too, so both must be seen."""
    return visible_crawls(user).filter(topic__in=visible_topics(user).values("pk"))


def editable_recipes(user: AbstractUser) -> QuerySet[Crawl]:
    """The crawls that a person may run again: those of topics they may change."""
    return visible_crawls(user).filter(topic__in=editable_topics(user).values("pk"))


def summary(crawl: Crawl, trajectory: bool = False) -> dict[str, Any]:
    """One crawl as every command and the API show it: shares 0–1, None where unknown."""
    result = {
        "crawl": crawl.pk,
        "topic": crawl.topic.name,
        "strategy": crawl.strategy,
        "parameters": crawl.parameters,
        "random_seed": crawl.random_seed,
        "sources": crawl.sources,
        "earlier": crawl.earlier_id,
        "web": crawl.web.name,
        "state": crawl.state,
        "reason": crawl.reason or None,
        "pages": crawl.pages,
        "requests": crawl.requests,
        "errors": crawl.errors,
        "excluded": crawl.excluded_reasons,
        "discovered": crawl.discovered,
        "failed": crawl.failed,
        "waiting": crawl.waiting,
        "seconds": round(crawl.seconds, 3),
        "cpu_seconds": round(crawl.cpu_seconds, 3),
        "reorder_seconds": round(crawl.reorder_seconds, 3),
        "judged_by": crawl.judged_by or None,
        "metrics": metrics_of(crawl.metrics),
    }
    if trajectory:
        result["trajectory"] = [
            {"pages": sample.pages, **metrics_of(sample.metrics)}
            for sample in crawl.samples.all()
        ]
    return result


def metrics_of(values: dict[str, Any]) -> dict[str, Any]:
    """Every measure and every charted number by its id, then whatever else a strategy reports."""
    known = {name: values.get(name) for name in numbers()}
    counters = {"pages", "waiting", "requests", "errors", "pages_per_second", "active_seconds"}
    return known | {n: v for n, v in values.items() if n not in known and n not in counters}


def place_in_queue(crawl: Crawl) -> int | None:
    """How many crawls are ahead of one that waits for a worker; None where it does not wait."""
    if crawl.state != State.QUEUED or crawl.enqueued_at is None:
        return None
    return Crawl.objects.filter(
        state=State.QUEUED, runner="", enqueued_at__lt=crawl.enqueued_at
    ).count()
