"""The websocket of a live page: authenticates, joins the feed, forwards."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any
from urllib.parse import parse_qs

from channels.auth import get_user
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.contrib.auth.models import User

from apps.crawls.selectors import visible_crawls
from apps.screens.live import feed
from apps.screens.live.ages import FeedHeartbeat
from apps.screens.live.payloads import Message, as_json

NOT_SIGNED_IN = 4401
NO_SUCH_CRAWL = 4404
FELL_BEHIND = 4408
# The session may have ended or access been withdrawn meanwhile, so both are checked this often.
ASKED_AGAIN_SECONDS = 2.0
# Messages sent and not yet acknowledged by the page.
MOST_UNREAD = 64


class Nowhere(AsyncWebsocketConsumer):
    """Refuses unknown addresses, each of which would be a traceback otherwise."""

    async def connect(self) -> None:
        await self.close()


class LiveCrawl(AsyncWebsocketConsumer):
    """Sends a snapshot after `?after=<seq>`, then deltas, and heartbeats when there is nothing new.

    The page acknowledges each with a `seq`.

    Closes with 4401 without sign-in, 4404 if the crawl is gone or not visible, and 4408 if the page
    has fallen behind and must request a new snapshot.
    """

    async def connect(self) -> None:
        self._subscription: feed.Subscription | None = None
        self._forwarding: asyncio.Task[None] | None = None
        self._guarding: asyncio.Task[None] | None = None
        self._unread = 0
        self.crawl_id = int(self.scope["url_route"]["kwargs"]["pk"])
        await self.accept()
        refusal = await self._refusal()
        if refusal is None:
            await self._join()
        else:
            await self.close(refusal)

    async def _join(self) -> None:
        reader: Any = self.scope["user"]
        snapshot, self._subscription = await feed.subscribe(self.crawl_id, self._after(), reader)
        if snapshot is None:
            await self.close(NO_SUCH_CRAWL)
            return
        await self._deliver(snapshot)
        self._forwarding = asyncio.create_task(self._forward(self._subscription))
        self._guarding = asyncio.create_task(self._guard())

    async def _guard(self) -> None:
        """Closes the feed once the person is signed out or may no longer see the crawl."""
        while (refusal := await self._refusal()) is None:
            await asyncio.sleep(ASKED_AGAIN_SECONDS)
        await self.close(refusal)

    async def _forward(self, subscription: feed.Subscription) -> None:
        while True:
            message = await subscription.queue.get()
            if message is None:
                await self.close(FELL_BEHIND if subscription.behind else NO_SUCH_CRAWL)
                return
            if self._unread >= MOST_UNREAD:
                await self.close(FELL_BEHIND)
                return
            await self._deliver(message)

    async def _deliver(self, message: Message | FeedHeartbeat) -> None:
        self._unread += 1
        await self.send(text_data=as_json(message))

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Handles an acknowledgement and ignores anything else."""
        with contextlib.suppress(ValueError, RecursionError):
            read: Any = json.loads(text_data or "")
            if isinstance(read, dict) and "seq" in read:
                self._unread = max(0, self._unread - 1)

    async def disconnect(self, code: int) -> None:
        for task in (self._forwarding, self._guarding):
            if task is not None:
                task.cancel()
        if self._subscription is not None:
            await feed.leave(self.crawl_id, self._subscription)

    async def _refusal(self) -> int | None:
        """The code to close with, by the session and the account as they are stored now."""
        session = self.scope["session"].__class__(self.scope["session"].session_key)
        scope: Any = {"session": session}
        user: Any = await get_user(scope)
        if not user.is_authenticated:
            return NOT_SIGNED_IN
        return None if await self._may_see(user) else NO_SUCH_CRAWL

    @database_sync_to_async
    def _may_see(self, user: User) -> bool:
        return visible_crawls(user).filter(pk=self.crawl_id).exists()

    def _after(self) -> int:
        text = parse_qs(self.scope["query_string"].decode("latin-1")).get("after", ["0"])[0]
        return int(text) if text.isdecimal() and len(text) < 12 else 0
