"""Wakes the live feed through Redis; without Redis the feed polls, with the same result."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any

from django.conf import settings

log = logging.getLogger("crawlsite.wake")


@cache
def _client() -> Any:
    import redis

    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=1)


def channel(crawl_id: int) -> str:
    """The Redis channel of one crawl."""
    return f"{settings.REDIS_PREFIX}:crawl:{crawl_id}"


def wake(crawl_id: int) -> None:
    """Announces a commit of the crawl. Never fails: the feed polls anyway."""
    if not settings.REDIS_URL:
        return
    import redis

    try:
        _client().publish(channel(crawl_id), b"")
    except redis.RedisError as error:
        log.info("Redis did not accept a wake-up: %s", error)
