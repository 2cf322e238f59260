"""One poller for each crawl and server process, for all its open pages.

The database is polled every quarter of a second and is the only source; Redis, if configured, only
shortens the wait. Messages are sent at most once a second, a change of state at once, and a
heartbeat when there is nothing to send.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async
from django.contrib.auth.models import User

from apps.screens.live import live_state, payloads, wakeups
from apps.screens.live.ages import FeedHeartbeat, heartbeat
from apps.screens.live.live_state import LiveState
from apps.screens.live.payloads import Message, SentState, first_shown

log = logging.getLogger("crawlsite.feed")

POLL_SECONDS = 0.25
SEND_SECONDS = 1.0
# What depends on the clock (hosts that become free) is checked this often without any commit.
IDLE_SECONDS = 5.0
# The longest time without a message or heartbeat.
HEARTBEAT_SECONDS = 1.5
QUEUE_LENGTH = 16


@dataclass(eq=False)
class Subscription:
    """One open page: its messages in order. `None` means that the crawl is gone, or (`behind`) that
    the page has fallen behind and must request a new snapshot."""

    queue: asyncio.Queue[Message | FeedHeartbeat | None] = field(
        default_factory=lambda: asyncio.Queue(QUEUE_LENGTH)
    )
    behind: bool = False

    def put(self, message: Message | FeedHeartbeat | None) -> None:
        if self.behind:
            return
        if message is None or self.queue.qsize() >= QUEUE_LENGTH - 1:
            self.behind = message is not None
            while not self.queue.empty():
                self.queue.get_nowait()
            message = None
        self.queue.put_nowait(message)


class LiveFeed:
    """Polls one crawl while any page is open."""

    def __init__(self, crawl_id: int) -> None:
        self.crawl_id = crawl_id
        self.state: LiveState | None = None
        self._signature: tuple[object, ...] | None = None
        self._shown = SentState()
        self._subscriptions: set[Subscription] = set()
        self._lock = asyncio.Lock()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._read_at = 0.0
        self._sent_at = time.monotonic()

    def add(self) -> Subscription:
        """A subscription to everything that is sent from now on."""
        subscription = Subscription()
        self._subscriptions.add(subscription)
        if self._task is None:
            self._task = asyncio.create_task(self._tail(), name=f"feed {self.crawl_id}")
        return subscription

    async def snapshot(self, after: int, reader: User | None = None) -> Message | None:
        """The present state, for a reader's page that has drawn samples up to `after`.

        None if the crawl is gone.
        """
        async with self._lock:
            await self._read(force=True)
            if self.state is None:
                return None
            draw = database_sync_to_async(payloads.snapshot)
            return await draw(self.state, self._shown, after, reader)

    def drop(self, subscription: Subscription) -> bool:
        """Ends a subscription; True if it was the last."""
        self._subscriptions.discard(subscription)
        return not self._subscriptions

    async def stop(self) -> None:
        """Ends the poller."""
        if self._task is not None:
            await _ended(self._task)

    async def _tail(self) -> None:
        listening = asyncio.create_task(wakeups.listen(self.crawl_id, self._wake))
        try:
            while True:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._wake.wait(), POLL_SECONDS)
                self._wake.clear()
                await self._look()
        finally:
            await _ended(listening)

    async def _look(self) -> None:
        try:
            async with self._lock:
                await self._read()
                await self._send_alive()
        except Exception:  # a database that does not answer for a moment must not end the feed
            log.exception("crawl %s could not be read; trying again", self.crawl_id)

    async def _read(self, force: bool = False) -> None:
        """Reads what is new and sends it to all; `force` is for a new subscriber."""
        signature = await database_sync_to_async(live_state.signature)(self.crawl_id)
        if signature is None:
            self.state = None
            self._send(None)
            return
        waited = time.monotonic() - self._read_at
        urgent = force or self._signature is None or signature[1:] != self._signature[1:]
        is_new = signature != self._signature or bool(self._shown.late)
        due = waited >= SEND_SECONDS and is_new
        if not (urgent or due or waited >= IDLE_SECONDS):
            return
        message = await database_sync_to_async(self._next)()
        self._signature, self._read_at = signature, time.monotonic()
        if message is not None:
            self._send(message)

    async def _send_alive(self) -> None:
        if self.state and time.monotonic() - self._sent_at >= HEARTBEAT_SECONDS:
            self._send(await database_sync_to_async(heartbeat)(self.state))

    def _next(self) -> Message | None:
        """The next delta; None at the first state, before anything was shown."""
        earlier, state = self.state, live_state.read(self.crawl_id, self.state)
        self.state = state
        if state is None:
            return None
        if earlier is None:
            self._shown = first_shown(state)
            return None
        return payloads.delta(state, self._shown)

    def _send(self, message: Message | FeedHeartbeat | None) -> None:
        self._sent_at = time.monotonic()
        for subscription in self._subscriptions:
            subscription.put(message)


_feeds: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[int, LiveFeed]] = WeakKeyDictionary()


def _of_this_loop() -> dict[int, LiveFeed]:
    return _feeds.setdefault(asyncio.get_running_loop(), {})


async def subscribe(
    crawl_id: int, after: int, reader: User | None = None
) -> tuple[Message | None, Subscription]:
    """A snapshot for a reader's page that has drawn samples up to `after`, and the messages that
    follow it.

    The subscription is made before the snapshot, so that no message is lost between them;
    duplicates are recognised by their numbers. The snapshot is None if the crawl is gone.
    """
    feed = _of_this_loop().setdefault(crawl_id, LiveFeed(crawl_id))
    subscription = feed.add()
    try:
        return await feed.snapshot(after, reader), subscription
    except BaseException:
        await leave(crawl_id, subscription)
        raise


async def leave(crawl_id: int, subscription: Subscription) -> None:
    """Ends a subscription; the last one ends the feed."""
    feeds = _of_this_loop()
    feed = feeds.get(crawl_id)
    if feed is not None and feed.drop(subscription):
        del feeds[crawl_id]
        await feed.stop()


async def _ended(task: asyncio.Task[None]) -> None:
    """Cancels a task and waits until it has released its resources."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
