"""Redis announces a crawl's commits; this only shortens the wait."""

from __future__ import annotations

import asyncio
import logging

from django.conf import settings

from apps.crawls.lifecycle.wake import channel

log = logging.getLogger("crawlsite.feed")

LONGEST_PAUSE = 30.0


async def listen(crawl_id: int, wake: asyncio.Event) -> None:
    """Sets `wake` at every message about that crawl; returns at once if there is no Redis.

    An unreachable Redis is tried again with growing pauses; the feed polls meanwhile.
    """
    if not settings.REDIS_URL:
        return
    import redis.asyncio

    pause = 1.0
    while True:
        client = redis.asyncio.Redis.from_url(settings.REDIS_URL)
        try:
            async with client, client.pubsub() as subscribed:
                await subscribed.subscribe(channel(crawl_id))
                async for _ in subscribed.listen():
                    pause = 1.0
                    wake.set()
        except (redis.RedisError, OSError) as error:
            log.info("Redis cannot be reached (%s); the feed polls without it", error)
        await asyncio.sleep(pause)
        pause = min(LONGEST_PAUSE, 2 * pause)
