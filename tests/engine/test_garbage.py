"""During a crawl garbage is sought seldom, and not among what existed before."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from apps.engine import garbage
from tests.engine.crawl.crawls import recorded_crawl
from tests.made_web import MadeWeb


@pytest.fixture
def nothing_aside(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The tests' own set-up is looked at again until the end."""
    monkeypatch.setattr(garbage, "_search", garbage._Search())
    gc.unfreeze()
    yield
    gc.freeze()


def test_what_existed_before_is_aside_until_the_end(nothing_aside):
    before = gc.get_threshold()
    with pytest.raises(RuntimeError), garbage.collect_rarely():
        assert gc.get_freeze_count() > 1000
        assert gc.get_threshold() == (garbage.NEW_OBJECTS, *before[1:])
        raise RuntimeError
    assert gc.get_freeze_count() == 0 and gc.get_threshold() == before


def test_what_was_put_aside_for_good_stays_there_and_nothing_else(nothing_aside):
    garbage.freeze_for_good()
    aside = gc.get_freeze_count()
    assert aside > 1000
    since = [[] for _ in range(1000)]
    with garbage.collect_rarely():
        assert gc.get_freeze_count() < aside + len(since)
    assert gc.get_freeze_count() > 1000


def test_what_is_put_aside_for_good_meanwhile_stays_there(nothing_aside):
    with garbage.collect_rarely():
        garbage.freeze_for_good()
    assert gc.get_freeze_count() > 1000


def test_what_a_start_has_put_aside_is_aside_until_the_end_with_what_came_since(nothing_aside):
    gc.freeze()
    at_start = gc.get_freeze_count()
    since = [[] for _ in range(1000)]
    with garbage.collect_rarely():
        assert gc.get_freeze_count() > at_start + len(since) - 100
    assert gc.get_freeze_count() == 0
    garbage.freeze_for_good()
    with garbage.collect_rarely():
        pass
    assert gc.get_freeze_count() > 0


def test_of_several_users_the_last_ends_it(nothing_aside):
    before, users = gc.get_threshold(), [ExitStack(), ExitStack()]
    for user in users:
        user.enter_context(garbage.collect_rarely())
    for user in users:
        assert gc.get_freeze_count() > 1000 and gc.get_threshold()[0] == garbage.NEW_OBJECTS
        user.close()
    assert gc.get_freeze_count() == 0 and gc.get_threshold() == before


async def test_a_crawl_runs_in_it():
    before, crawl = gc.get_threshold(), recorded_crawl(MadeWeb(), budget=10)
    crawl.start()
    async for _ in crawl.run():
        assert gc.get_threshold()[0] == garbage.NEW_OBJECTS
    assert gc.get_threshold() == before
