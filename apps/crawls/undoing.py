"""Taking back what a person changed: each undo is a change of its own, with an event of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from django.contrib.auth.models import AbstractUser

from apps.crawls import labelling, services, steering
from apps.crawls.models import Crawl, Event
from apps.crawls.services import CrawlRefused

Undo = Callable[[Crawl, Event, AbstractUser | None], None]


def undo(crawl: Crawl, event: Event, by: AbstractUser | None = None) -> None:
    """Restores what was before an event. Raises CrawlRefused where something newer stands."""
    if event.seq not in undoable(crawl, crawl.events.order_by("-seq")):
        raise CrawlRefused("event", "This cannot be undone any more: it has been changed since.")
    UNDO[event.kind](crawl, event, by)


def undoable(crawl: Crawl, newest_first: Iterable[Event]) -> frozenset[int]:
    """The numbers of the events that still stand: the newest of its kind about its object."""
    seen: set[tuple[str, str]] = set()
    found = set()
    for event in newest_first:
        about = _about(event)
        if about is not None and about not in seen:
            seen.add(about)
            if _stands(crawl, event):
                found.add(event.seq)
    return frozenset(found)


def _about(event: Event) -> tuple[str, str] | None:
    """What an event is about; two events about the same undo each other."""
    match event.kind:
        case "delta" | "budget" | "labels":
            return event.kind, ""
        case "exclude" | "include":
            return "pattern", str(event.payload.get("pattern"))
        case "leave_out" | "take_in":
            return "host", str(event.payload.get("host"))
        case "trap" | "trust":
            return "trap", f"{event.payload.get('rule')} {event.payload.get('place')}"
    return None


def _stands(crawl: Crawl, event: Event) -> bool:
    """Whether the row still wants what the event did."""
    payload = event.payload
    if event.kind in ("delta", "budget", "labels") and "before" not in payload:
        return False
    match event.kind:
        case "delta":
            return bool(crawl.parameters.get("delta") == payload["value"])
        case "budget":
            return crawl.budget == payload["pages"]
        case "trust":
            return False
        case "exclude" | "include":
            denied = payload["pattern"] in crawl.scope.get("deny_patterns", ())
            return denied is (event.kind == "exclude")
    return True


def _delta(crawl: Crawl, event: Event, by: AbstractUser | None) -> None:
    services.change_delta(crawl, event.payload["before"], by)


def _budget(crawl: Crawl, event: Event, by: AbstractUser | None) -> None:
    services.change_budget(crawl, event.payload["before"]["pages"], by)


def _exclude(crawl: Crawl, event: Event, by: AbstractUser | None) -> None:
    steering.include_pattern(crawl, event.payload["pattern"], by)


def _include(crawl: Crawl, event: Event, by: AbstractUser | None) -> None:
    steering.exclude_pattern(crawl, event.payload["pattern"], by)


def _leave_out(crawl: Crawl, event: Event, by: AbstractUser | None) -> None:
    steering.take_in_host(crawl, event.payload["host"], by)


def _take_in(crawl: Crawl, event: Event, by: AbstractUser | None) -> None:
    steering.leave_out_host(crawl, event.payload["host"], by)


def _labels(crawl: Crawl, event: Event, by: AbstractUser | None) -> None:
    labelling.go_back(crawl, event.payload["before"], event.payload["labels"], by)


def _trap(crawl: Crawl, event: Event, by: AbstractUser | None) -> None:
    steering.take_in_trap(crawl, event.payload["rule"], event.payload["place"], by)


UNDO: Mapping[str, Undo] = {
    "labels": _labels,
    "delta": _delta,
    "budget": _budget,
    "exclude": _exclude,
    "include": _include,
    "leave_out": _leave_out,
    "take_in": _take_in,
    "trap": _trap,
}
