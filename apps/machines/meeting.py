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


def publish_code() -> None:
    """Stores the version of the site's code, for machines that want to join."""
    Site.objects.filter(pk=site().pk).update(code=code_version())


def meeting() -> Meeting | None:
    """The meeting in Redis, or None without Redis."""
    if not settings.REDIS_URL:
        return None
    from apps.engine.agents.meeting import Meeting

    key = bytes.fromhex(site().key)
    return Meeting(settings.REDIS_URL, settings.REDIS_PREFIX, key, code_version())


def line_for(crawl_id: int, epoch: int) -> StreamLine | None:
    """The line of a crawl to agents of other machines, or None without Redis."""
    redis = meeting()
    if redis is None:
        return None
    from apps.engine.agents.stream import StreamLine

    return StreamLine(redis, f"{crawl_id}.{epoch}")
