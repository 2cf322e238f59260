"""The machines that run crawls: which are there, and draining."""

from __future__ import annotations

from contextlib import suppress

from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

from apps.jobs.process import system_of, this_system
from apps.machines import events
from apps.machines.models import Workers


def join() -> None:
    """Lists this machine's workers, undrained: they take crawls from now on."""
    _write(drained=False)
    events.write("workers_joined", settings.MACHINE, room=settings.CRAWLS_AT_ONCE)


def report_alive() -> None:
    """Records that this machine's workers are alive; whether they are drained stays as it is."""
    _write()


def leave() -> None:
    """Removes this machine's workers, which have ended; if the database has too, they become
    silent instead."""
    with suppress(DatabaseError):
        Workers.objects.filter(system=this_system()).delete()
        events.write("workers_left", settings.MACHINE)


def machine_of(runner: str) -> str:
    """The machine on which that process runs or ran; empty if its workers are not listed."""
    listed = Workers.objects.filter(system=system_of(runner))
    return listed.values_list("machine", flat=True).first() or ""


def are_drained() -> bool:
    """Whether this machine's workers are to begin no crawl and to hand on those they run."""
    return Workers.objects.filter(system=this_system(), drained=True).exists()


def drain(*systems: str) -> None:
    """The workers of those machines hand on their crawls at the next commit and take no other."""
    Workers.objects.filter(system__in=systems).update(drained=True)


def resume(*systems: str) -> None:
    """The workers of those machines take crawls again."""
    Workers.objects.filter(system__in=systems).update(drained=False)


def forget(*systems: str) -> None:
    """Removes those machines from the list; one that is there appears again, undrained."""
    Workers.objects.filter(system__in=systems).delete()


def _write(**values: bool) -> None:
    Workers.objects.update_or_create(
        system=this_system(),
        defaults={
            "machine": settings.MACHINE,
            "room": settings.CRAWLS_AT_ONCE,
            "alive_at": timezone.now(),
            "silence_reported": False,
            **values,
        },
    )
