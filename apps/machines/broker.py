"""The broker of this site’s coordinators and agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings

from apps.jobs.code_version import code_version
from apps.machines.models import Site

if TYPE_CHECKING:
    from apps.engine.agents.broker import AgentBroker
    from apps.engine.agents.stream import StreamChannel


def site() -> Site:
    """The row of the site, made where there is none."""
    return Site.objects.get_or_create(pk=1)[0]


def publish_code() -> None:
    """Stores the version of the site's code, for machines that want to join."""
    Site.objects.filter(pk=site().pk).update(code=code_version())


def broker() -> AgentBroker | None:
    """The site’s broker in Redis, or None without Redis."""
    if not settings.REDIS_URL:
        return None
    from apps.engine.agents.broker import AgentBroker

    key = bytes.fromhex(site().key)
    return AgentBroker(settings.REDIS_URL, settings.REDIS_PREFIX, key, code_version())


def channel_for(crawl_id: int, epoch: int) -> StreamChannel | None:
    """The channel of a crawl to agents of other machines, or None without Redis."""
    redis = broker()
    if redis is None:
        return None
    from apps.engine.agents.stream import StreamChannel

    return StreamChannel(redis, f"{crawl_id}.{epoch}")
