"""Where this site's coordinators and agents meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings

from apps.jobs.code_version import code_version
from apps.machines.models import Site

if TYPE_CHECKING:
    from apps.engine.agents.meeting import Meeting
    from apps.engine.agents.stream import StreamLine


def site() -> Site:
    """The row of the site, made where there is none."""
    return Site.objects.get_or_create(pk=1)[0]


def tell_code() -> None:
    """Writes down which code the site runs, for machines that want to join."""
    found = site()
    Site.objects.filter(pk=found.pk).update(code=code_version())


def meeting() -> Meeting | None:
    """The place to meet, or None without Redis."""
    if not settings.REDIS_URL:
        return None
    from apps.engine.agents.meeting import Meeting

    key = bytes.fromhex(site().key)
    return Meeting(settings.REDIS_URL, settings.REDIS_PREFIX, key, code_version())


def line_for(crawl_id: int, epoch: int) -> StreamLine | None:
    """The line of a crawl to agents of other machines, or None without Redis."""
    place = meeting()
    if place is None:
        return None
    from apps.engine.agents.stream import StreamLine

    return StreamLine(place, f"{crawl_id}.{epoch}")
