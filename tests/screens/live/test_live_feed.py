"""The websocket as a page uses it, over the real consumer and poller."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.models import Session
from django.db import connections
from django.test import Client
from django.utils import timezone

from apps.accounts.sharing import share_with_everybody, unshare
from apps.crawls.lifecycle.wake import wake
from apps.crawls.models import Crawl
from apps.engine.codes import State, StopReason
from apps.screens.live import consumers, feed, progress
from apps.screens.live.live_state import read
from apps.screens.live.payloads import first_shown, snapshot
from apps.screens.live.routing import websocket_urlpatterns
from crawlsite.asgi import feeds
from tests.crawl_rows import grow, made_crawl, made_topic
from tests.screens.live.patch_reader import SentPieces
from tests.screens.live.splice_reader import splice

pytestmark = pytest.mark.django_db(transaction=True)

grown = database_sync_to_async(grow)


@pytest.fixture(autouse=True)
async def no_connection_left() -> AsyncIterator[None]:
    """The thread of the asynchronous queries keeps its connection; the database must be free."""
    yield
    await sync_to_async(connections.close_all)()


@sync_to_async
def signed_in(user: User) -> bytes:
    """The cookie of a new session."""
    client = Client()
    client.force_login(user)
    return f"sessionid={client.cookies['sessionid'].value}".encode()


@asynccontextmanager
async def page(user, crawl_id: int, after: int = 0) -> AsyncIterator[WebsocketCommunicator]:
    """An open page, as the person's browser opens it."""
    address = f"/ws/crawls/{crawl_id}/?after={after}"
    headers = [(b"host", b"localhost:8000"), (b"origin", b"http://localhost:8000")]
    if user.is_authenticated:
        headers.append((b"cookie", await signed_in(user)))
    communicator = WebsocketCommunicator(feeds, address, headers)
    connected, _ = await communicator.connect(timeout=120)
    assert connected
    try:
        yield communicator
    finally:
        await communicator.disconnect()


class Screen:
    """What a page draws: applies messages by the client's rule."""

    def __init__(self) -> None:
        self.seq = 0
        self.curves: dict[str, list[tuple[list, list]]] = {}
        self.sent = SentPieces()
        self.fragments: dict[str, str] = {}
        self.rows = ""

    def take(self, message: dict) -> None:
        if message["kind"] == "snapshot" and message["after"] == 0:
            self.seq = 0
            self.curves = {c: [([], []) for _ in s] for c, s in message["curves"].items()}
        rows, pieces = self.sent.take(message)
        self.fragments |= pieces
        self.rows = rows + self.rows
        if message["seq"] <= self.seq:
            return
        assert message["after"] == self.seq, "samples are missing"
        for chart, splices in message["curves"].items():
            self.curves[chart] = [
                (splice(x, s["keep"], s["x"]), splice(y, s["keep"], s["y"])) if s else (x, y)
                for (x, y), s in zip(self.curves[chart], splices, strict=True)
            ]
        self.seq = message["seq"]


async def next_message(communicator: WebsocketCommunicator) -> dict:
    """The next message that is more than a heartbeat."""
    while True:
        message = await communicator.receive_json_from(timeout=120)
        if message["kind"] != "heartbeat":
            return message


async def until(communicator: WebsocketCommunicator, screen: Screen, seq: int) -> None:
    """Reads messages until the screen shows sample `seq`."""
    while screen.seq < seq:
        screen.take(await next_message(communicator))


async def until_nothing_is_new(communicator: WebsocketCommunicator, screen: Screen) -> None:
    """Reads messages until a heartbeat says that all was sent."""
    while (message := await communicator.receive_json_from(timeout=120))["kind"] != "heartbeat":
        screen.take(message)


async def closing_code(communicator: WebsocketCommunicator) -> int:
    """The code that the server closes with, any messages before it read."""
    while True:
        output = await communicator.receive_output(timeout=120)
        if output["type"] == "websocket.close":
            return output["code"]


@pytest.fixture
def quick(monkeypatch) -> None:
    monkeypatch.setattr(feed, "POLL_SECONDS", 0.02)
    monkeypatch.setattr(feed, "SEND_SECONDS", 0.02)
    monkeypatch.setattr(consumers, "ASKED_AGAIN_SECONDS", 0.02)


async def test_it_draws_by_streaming_what_a_reload_draws(
    owner, crawl: Crawl, quick, monkeypatch
) -> None:
    # The end is expected at a minute of the clock, which may be another at the reload.
    monkeypatch.setattr(progress, "_minute", lambda _: datetime(2026, 1, 1, tzinfo=UTC))
    await grown(crawl, 40)
    async with page(owner, crawl.pk) as streaming:
        screen = Screen()
        for pages in (75, 76, 300, 11_000):
            await until(streaming, screen, crawl.pages // 10)
            await grown(crawl, pages)
        await until_nothing_is_new(streaming, screen)
    async with page(owner, crawl.pk) as reloaded:
        fresh = Screen()
        fresh.take(await next_message(reloaded))
    assert (fresh.seq, fresh.curves) == (screen.seq, screen.curves)
    loaded = await database_sync_to_async(lambda: first_message(crawl))()
    page_load = Screen()
    page_load.take(loaded)
    assert page_load.curves == screen.curves
    assert page_load.sent.pieces == fresh.sent.pieces == screen.sent.pieces


def first_message(crawl: Crawl) -> dict:
    """What the page is loaded with."""
    reading = read(crawl.pk)
    return snapshot(reading, first_shown(reading)).plain()


async def test_a_lost_page_comes_back_with_what_it_missed(owner, crawl: Crawl, quick) -> None:
    await grown(crawl, 100)
    screen = Screen()
    async with page(owner, crawl.pk) as first:
        await until(first, screen, 10)
    await grown(crawl, 250)
    async with page(owner, crawl.pk, after=screen.seq) as second:
        message = await next_message(second)
        assert (message["kind"], message["after"], message["seq"]) == ("snapshot", 10, 25)
        screen.take(message)
    async with page(owner, crawl.pk) as third:
        fresh = Screen()
        fresh.take(await next_message(third))
    assert screen.curves == fresh.curves


async def test_all_pages_of_a_crawl_share_one_poller(owner, crawl: Crawl, quick) -> None:
    async with page(owner, crawl.pk) as one, page(owner, crawl.pk) as two:
        screens = [Screen(), Screen()]
        for communicator, screen in zip((one, two), screens, strict=True):
            screen.take(await next_message(communicator))
        await grown(crawl, 50)
        await until(one, screens[0], 5)
        await until(two, screens[1], 5)
        tailing = [t for t in asyncio.all_tasks() if t.get_name() == f"feed {crawl.pk}"]
        assert len(tailing) == 1
    async with asyncio.timeout(120):
        while [t for t in asyncio.all_tasks() if t.get_name() == f"feed {crawl.pk}"]:
            await asyncio.sleep(0.01)


async def test_a_change_of_state_arrives(owner, crawl: Crawl, quick) -> None:
    async with page(owner, crawl.pk) as communicator:
        screen = Screen()
        screen.take(await next_message(communicator))
        change = Crawl.objects.filter(pk=crawl.pk)
        await sync_to_async(change.update)(state=State.FINISHED, reason=StopReason.BUDGET_REACHED)
        message = await next_message(communicator)
        assert message["status"]["state"] == "finished"
        screen.take(message)
        assert "budget reached" in screen.fragments["state-badge"]


async def test_a_page_with_nothing_new_hears_that_the_feed_is_alive(
    owner, crawl: Crawl, quick, monkeypatch
) -> None:
    monkeypatch.setattr(feed, "HEARTBEAT_SECONDS", 0.0)
    await grown(crawl, 20)
    lease = timezone.now() + timedelta(seconds=settings.LEASE_SECONDS - 100)
    await sync_to_async(Crawl.objects.filter(pk=crawl.pk).update)(lease_until=lease)
    async with page(owner, crawl.pk) as communicator:
        first = await communicator.receive_json_from(timeout=120)
        second = await communicator.receive_json_from(timeout=120)
    assert (second["kind"], second["seq"]) == ("heartbeat", first["seq"])
    assert 100 <= first["ages"]["commit"] <= second["ages"]["commit"]
    assert 0 <= first["ages"]["page"] <= second["ages"]["page"]


def test_a_heartbeat_comes_at_least_every_two_seconds() -> None:
    assert feed.HEARTBEAT_SECONDS + feed.POLL_SECONDS < 2


async def test_a_crawl_that_nobody_runs_has_no_age_of_a_commit(owner, crawl: Crawl) -> None:
    async with page(owner, crawl.pk) as communicator:
        message = await communicator.receive_json_from(timeout=120)
    assert message["ages"] == {"commit": None, "page": None}


async def test_an_address_without_a_feed_is_refused() -> None:
    communicator = WebsocketCommunicator(URLRouter(websocket_urlpatterns), "/ws/nothing/")
    connected, _ = await communicator.connect(timeout=120)
    assert not connected


async def test_nobody_in_particular_is_sent_away(crawl: Crawl) -> None:
    async with page(AnonymousUser(), crawl.pk) as communicator:
        assert await closing_code(communicator) == consumers.NOT_SIGNED_IN


async def test_other_peoples_crawls_are_not_there(stranger, crawl: Crawl) -> None:
    async with page(stranger, crawl.pk) as communicator:
        assert await closing_code(communicator) == consumers.NO_SUCH_CRAWL
    async with page(stranger, 999_999) as communicator:
        assert await closing_code(communicator) == consumers.NO_SUCH_CRAWL


async def test_a_shared_crawl_can_be_watched_while_it_is_shared(
    stranger, crawl: Crawl, quick
) -> None:
    made = await sync_to_async(share_with_everybody)(crawl)
    async with page(stranger, crawl.pk) as communicator:
        assert (await next_message(communicator))["kind"] == "snapshot"
        await sync_to_async(unshare)(crawl, made.pk)
        await grown(crawl, 20)
        assert await closing_code(communicator) == consumers.NO_SUCH_CRAWL


async def test_signing_out_closes_the_feed(owner, crawl: Crawl, quick) -> None:
    async with page(owner, crawl.pk) as communicator:
        assert (await next_message(communicator))["kind"] == "snapshot"
        await sync_to_async(Session.objects.all().delete)()
        await grown(crawl, 20)
        assert await closing_code(communicator) == consumers.NOT_SIGNED_IN


@pytest.mark.parametrize("change", [{"is_active": False}, {"password": "another"}])
async def test_an_account_that_may_no_longer_sign_in_is_sent_no_more(
    owner, crawl: Crawl, quick, change: dict
) -> None:
    async with page(owner, crawl.pk) as communicator:
        assert (await next_message(communicator))["kind"] == "snapshot"
        accounts = get_user_model().objects.filter(pk=owner.pk)
        await sync_to_async(accounts.update)(**change)
        await grown(crawl, 20)
        assert await closing_code(communicator) == consumers.NOT_SIGNED_IN


async def test_a_deleted_crawl_closes_its_pages(owner, crawl: Crawl, quick) -> None:
    async with page(owner, crawl.pk) as communicator:
        await next_message(communicator)
        await sync_to_async(Crawl.objects.filter(pk=crawl.pk).delete)()
        assert await closing_code(communicator) == consumers.NO_SUCH_CRAWL


async def test_a_page_that_answers_nothing_is_closed(
    owner, crawl: Crawl, quick, monkeypatch
) -> None:
    monkeypatch.setattr(consumers, "MOST_UNREAD", 2)
    monkeypatch.setattr(feed, "HEARTBEAT_SECONDS", 600)
    async with page(owner, crawl.pk) as communicator:
        screen = Screen()
        screen.take(await next_message(communicator))
        await grown(crawl, 20)
        await until(communicator, screen, 2)
        await grown(crawl, 40)
        assert await closing_code(communicator) == consumers.FELL_BEHIND


async def test_a_page_that_answers_goes_on(owner, crawl: Crawl, quick, monkeypatch) -> None:
    monkeypatch.setattr(consumers, "MOST_UNREAD", 2)
    monkeypatch.setattr(feed, "HEARTBEAT_SECONDS", 600)
    async with page(owner, crawl.pk) as communicator:
        screen = Screen()
        screen.take(await next_message(communicator))
        await communicator.send_json_to({"seq": screen.seq})
        for pages in (20, 40, 60, 80):
            await grown(crawl, pages)
            await until(communicator, screen, pages // 10)
            await communicator.send_json_to({"seq": screen.seq})
        assert screen.seq == 8


async def test_nonsense_from_a_page_does_no_harm(owner, crawl: Crawl, quick) -> None:
    async with page(owner, crawl.pk, after=-5) as communicator:
        screen = Screen()
        screen.take(await next_message(communicator))
        for text in (" ", "nonsense", "[1]", '{"seq": "x"}', "[" * 100_000):
            await communicator.send_to(text_data=text)
        await grown(crawl, 10)
        await until(communicator, screen, 1)


async def test_a_queue_that_fills_up_is_reported() -> None:
    subscription = feed.Subscription()
    message = object()
    for _ in range(feed.QUEUE_LENGTH):
        subscription.put(message)
    assert subscription.behind
    assert await subscription.queue.get() is None
    subscription.put(message)
    assert subscription.queue.empty()


def test_the_crawls_of_two_people_have_feeds_of_their_own(owner, stranger) -> None:
    mine, theirs = made_crawl(made_topic(owner)), made_crawl(made_topic(stranger))
    grow(mine, 30)
    assert read(theirs.pk).pages == [] and read(mine.pk).newest_page == 30


@pytest.mark.skipif(not settings.REDIS_URL, reason="no Redis in this set-up")
async def test_redis_wakes_the_poller(owner, crawl: Crawl, monkeypatch) -> None:
    monkeypatch.setattr(feed, "POLL_SECONDS", 600)
    monkeypatch.setattr(feed, "SEND_SECONDS", 0)
    async with page(owner, crawl.pk) as communicator:
        screen = Screen()
        screen.take(await next_message(communicator))
        await grown(crawl, 10)
        waiting = asyncio.create_task(until(communicator, screen, 1))
        while not waiting.done():
            await sync_to_async(wake)(crawl.pk)
            await asyncio.sleep(0.05)
        await waiting


async def test_without_redis_it_polls(owner, crawl: Crawl, quick, monkeypatch) -> None:
    monkeypatch.setattr(settings, "REDIS_URL", "redis://127.0.0.1:9/0")
    async with page(owner, crawl.pk) as communicator:
        screen = Screen()
        screen.take(await next_message(communicator))
        await grown(crawl, 10)
        await until(communicator, screen, 1)
