"""Sharing, seen by those who watch live: it begins and ends at once."""

from __future__ import annotations

from asgiref.sync import sync_to_async

from apps.crawls.models import Crawl
from apps.crawls.sharing import share, unshare
from apps.dashboard import consumers
from tests.dashboard.conftest import crawl, owner, stranger  # noqa: F401
from tests.dashboard.test_live_feed import (  # noqa: F401
    closing_code,
    no_connection_left,
    page,
    pytestmark,
    quick,
)


async def test_a_team_mate_watches_what_is_shared(stranger, crawl: Crawl) -> None:  # noqa: F811
    await sync_to_async(share)(crawl)
    async with page(stranger, crawl.pk) as watching:
        message = await watching.receive_json_from(timeout=10)
        assert message["seq"] == 0


async def test_whoever_watches_is_sent_away_when_it_ends(
    stranger, crawl: Crawl, quick  # noqa: F811
) -> None:
    await sync_to_async(share)(crawl)
    async with page(stranger, crawl.pk) as watching:
        await watching.receive_json_from(timeout=10)
        await sync_to_async(unshare)(crawl)
        assert await closing_code(watching) == consumers.NO_SUCH_CRAWL


async def test_the_owner_watches_on(owner, crawl: Crawl, quick) -> None:  # noqa: F811
    await sync_to_async(share)(crawl)
    async with page(owner, crawl.pk) as watching:
        await watching.receive_json_from(timeout=10)
        await sync_to_async(unshare)(crawl)
        message = await watching.receive_json_from(timeout=10)
        assert message["status"]["shared"] is False
