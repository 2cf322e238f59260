"""Sharing, seen by those who watch live: it begins and ends while they look."""

from __future__ import annotations

from asgiref.sync import sync_to_async

from apps.accounts.sharing import share, unshare
from apps.crawls.models import Crawl
from apps.screens.live import consumers
from tests.crawl_fixtures import crawl, owner, stranger  # noqa: F401
from tests.screens.live.test_live_feed import (  # noqa: F401
    closing_code,
    no_connection_left,
    page,
    pytestmark,
    quick,
)


async def test_a_team_mate_watches_what_is_shared(stranger, crawl: Crawl) -> None:
    await sync_to_async(share)(crawl, stranger.username)
    async with page(stranger, crawl.pk) as watching:
        message = await watching.receive_json_from(timeout=120)
        assert message["seq"] == 0


async def test_a_team_mate_watches_the_crawls_of_a_shared_topic(
    stranger,
    crawl: Crawl,
) -> None:
    await sync_to_async(share)(crawl.topic, stranger.username)
    async with page(stranger, crawl.pk) as watching:
        assert (await watching.receive_json_from(timeout=120))["seq"] == 0


async def test_whoever_watches_is_sent_away_when_it_ends(
    stranger,
    crawl: Crawl,
    quick,
) -> None:
    made = await sync_to_async(share)(crawl, stranger.username)
    async with page(stranger, crawl.pk) as watching:
        await watching.receive_json_from(timeout=120)
        await sync_to_async(unshare)(crawl, made.pk)
        assert await closing_code(watching) == consumers.NO_SUCH_CRAWL
