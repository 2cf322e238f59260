"""The websocket of a live page: authenticates, joins the feed, forwards."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from apps.crawls.selectors import visible_crawls
from apps.dashboard import feed
from apps.dashboard.payloads import Message

NOT_SIGNED_IN = 4401
NO_SUCH_CRAWL = 4404
FELL_BEHIND = 4408
# Messages sent and not yet acknowledged by the page.
MOST_UNREAD = 64


class Nowhere(AsyncWebsocketConsumer):
    """Refuses an address that no feed has: without it each such request would be a traceback."""

    async def connect(self) -> None:
        await self.close()


class LiveCrawl(AsyncWebsocketConsumer):
    """Sends a snapshot after `?after=<seq>`, then deltas; the page answers each with its `seq`.

    Closes with 4401 for nobody in particular, 4404 where the crawl is gone or somebody else's, and
    4408 where the page has fallen behind and has to ask for a snapshot anew.
    """

    async def connect(self) -> None:
        self._subscription: feed.Subscription | None = None
        self._forwarding: asyncio.Task[None] | None = None
        self._unread = 0
        self.crawl_id = int(self.scope["url_route"]["kwargs"]["pk"])
        await self.accept()
        user = self.scope["user"]
        if not user.is_authenticated:
            await self.close(NOT_SIGNED_IN)
        elif not await self._may_see():
            await self.close(NO_SUCH_CRAWL)
        else:
            await self._join()

    async def _join(self) -> None:
        snapshot, self._subscription = await feed.subscribe(self.crawl_id, self._after())
        if snapshot is None:
            await self.close(NO_SUCH_CRAWL)
            return
        await self._deliver(snapshot)
        self._forwarding = asyncio.create_task(self._forward(self._subscription))

    async def _forward(self, subscription: feed.Subscription) -> None:
        while True:
            message = await subscription.queue.get()
            if message is None:
                await self.close(FELL_BEHIND if subscription.behind else NO_SUCH_CRAWL)
                return
            if self._unread >= MOST_UNREAD:
                await self.close(FELL_BEHIND)
                return
            if not (message.status.shared or self._own):
                await self.close(NO_SUCH_CRAWL)
                return
            await self._deliver(message)

    async def _deliver(self, message: Message) -> None:
        self._unread += 1
        await self.send(text_data=message.json())

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """An acknowledgement; anything else is not for us."""
        with contextlib.suppress(ValueError, RecursionError):
            read: Any = json.loads(text_data or "")
            if isinstance(read, dict) and "seq" in read:
                self._unread = max(0, self._unread - 1)

    async def disconnect(self, code: int) -> None:
        if self._forwarding is not None:
            self._forwarding.cancel()
        if self._subscription is not None:
            await feed.leave(self.crawl_id, self._subscription)

    @database_sync_to_async
    def _may_see(self) -> bool:
        owner = (
            visible_crawls(self.scope["user"])
            .filter(pk=self.crawl_id)
            .values_list("owner_id", flat=True)
            .first()
        )
        self._own = owner == self.scope["user"].pk
        return owner is not None

    def _after(self) -> int:
        text = parse_qs(self.scope["query_string"].decode("latin-1")).get("after", ["0"])[0]
        return int(text) if text.isdecimal() and len(text) < 12 else 0
