"""What a person may change while a crawl runs; each change is recorded and replayed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from apps.engine.errors import BadParameter
from apps.engine.frontier.quarantine import take_in
from apps.engine.model import Exclusion
from apps.engine.urls import canonical

if TYPE_CHECKING:
    from apps.engine.crawl.loop import Crawl

Payload = Mapping[str, Any]


def apply_change(crawl: Crawl, kind: str, payload: Payload) -> None:
    """Carries out one change. Raises BadParameter where it makes no sense."""
    change = CHANGES.get(kind)
    if change is None:
        raise BadParameter(f"there is no change of kind {kind}", parameter=kind)
    change(crawl, payload)


def _budget(crawl: Crawl, payload: Payload) -> None:
    crawl.plan = replace(
        crawl.plan, budget=payload["pages"], request_limit=payload["request_limit"]
    )


def _delta(crawl: Crawl, payload: Payload) -> None:
    crawl.strategy.change("delta", payload["value"])


def _seeds(crawl: Crawl, payload: Payload) -> None:
    for url in payload["urls"]:
        address = canonical(url)
        if address is None:
            raise BadParameter(f"{url} is no web address", parameter="urls")
        crawl.frontier.seed(address, crawl.clock())


def _leave_out(crawl: Crawl, payload: Payload) -> None:
    crawl.frontier.hosts.named(payload["host"]).left_out = True
    crawl.touch(payload["host"])


def _take_in(crawl: Crawl, payload: Payload) -> None:
    host = crawl.frontier.hosts.named(payload["host"])
    host.left_out = False
    crawl.frontier.hosts.list_again(host, crawl.clock())
    crawl.touch(payload["host"])


def _exclude(crawl: Crawl, payload: Payload) -> None:
    frontier = crawl.frontier
    pattern = payload["pattern"]
    denied = (*frontier.scope.deny_patterns, pattern)
    frontier.scope = replace(frontier.scope, deny_patterns=denied)
    for number in frontier.waiting_numbers().tolist():
        if frontier.refused(number) is Exclusion.PATTERN:
            frontier.exclude(number, Exclusion.PATTERN)


def _include(crawl: Crawl, payload: Payload) -> None:
    frontier = crawl.frontier
    kept = tuple(p for p in frontier.scope.deny_patterns if p != payload["pattern"])
    frontier.scope = replace(frontier.scope, deny_patterns=kept)
    for number in frontier.excluded_for(Exclusion.PATTERN):
        if frontier.refused(number) is None:
            frontier.readmit(number, crawl.clock())


def _trust(crawl: Crawl, payload: Payload) -> None:
    take_in(crawl.frontier, (payload["rule"], payload["place"]), crawl.clock())


CHANGES: Mapping[str, Callable[[Crawl, Payload], None]] = {
    "budget": _budget,
    "delta": _delta,
    "seeds": _seeds,
    "leave_out": _leave_out,
    "take_in": _take_in,
    "exclude": _exclude,
    "include": _include,
    "trust": _trust,
}
