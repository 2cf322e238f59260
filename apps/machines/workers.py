"""The machines that run crawls: who says to be there, and draining."""

from __future__ import annotations

from contextlib import suppress

from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

from apps.jobs.process import place_of, this_place
from apps.machines import events
from apps.machines.models import Workers


def join() -> None:
    """Says that this machine's workers take crawls from now on; they are not drained."""
    _write(drained=False)
    events.write("workers_joined", settings.MACHINE, room=settings.CRAWLS_AT_ONCE)


def say() -> None:
    """Says that this machine's workers are there; whether they are drained stays as it is."""
    _write()


def leave() -> None:
    """Says that this machine's workers have ended; if the database has too, they are silent
    instead."""
    with suppress(DatabaseError):
        Workers.objects.filter(place=this_place()).delete()
        events.write("workers_left", settings.MACHINE)


def machine_of(runner: str) -> str:
    """The machine on which that process runs or ran; empty if its workers are not listed."""
    found = Workers.objects.filter(place=place_of(runner))
    return found.values_list("machine", flat=True).first() or ""


def are_drained() -> bool:
    """Whether this machine's workers are to begin no crawl and to hand on those they run."""
    return Workers.objects.filter(place=this_place(), drained=True).exists()


def drain(*places: str) -> None:
    """The workers of those machines hand on their crawls at the next commit and take no other."""
    Workers.objects.filter(place__in=places).update(drained=True)


def resume(*places: str) -> None:
    """The workers of those machines take crawls again."""
    Workers.objects.filter(place__in=places).update(drained=False)


def forget(*places: str) -> None:
    """Removes those machines from the list; one that is there appears again, undrained."""
    Workers.objects.filter(place__in=places).delete()


def _write(**values: bool) -> None:
    Workers.objects.update_or_create(
        place=this_place(),
        defaults={"machine": settings.MACHINE, "room": settings.CRAWLS_AT_ONCE,
                  "said_at": timezone.now(), "told_silent": False, **values},
    )
