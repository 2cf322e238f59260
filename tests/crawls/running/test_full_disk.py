"""A disk without room, or a store that is down, pauses the crawl and says so; nothing that was
written is lost (P6)."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model

from apps.crawls.commands.lifecycle.resume import resume
from apps.crawls.commands.lifecycle.start import start_here
from apps.crawls.messages import state_words
from apps.crawls.running import checkpoints
from apps.crawls.running.checkpoints import Checkpoints
from apps.engine.codes import State, StopReason
from apps.topics.models import Topic
from tests.crawls import run_here
from tests.crawls.run_here import new_crawl, order, run
from tests.shared_store import On, Store

DOWN = (State.PAUSED, StopReason.STORE_DOWN)
FULL = (State.PAUSED, StopReason.DISK_FULL)


@pytest.fixture
def topic(transactional_db, data_dir: Path) -> Topic:
    return run_here.bread(get_user_model().objects.create_user("ada"), run_here.made_web(data_dir))


def test_a_full_disk_pauses_at_every_stage_and_the_crawl_then_ends_as_it_would(
    topic, settings, monkeypatch
):
    expected = order(run(new_crawl(topic, "breadth_first", budget=60)))
    crawl = new_crawl(topic, "breadth_first", budget=60)
    room = settings.LEAST_FREE_DISK

    def fill(row) -> None:
        settings.LEAST_FREE_DISK = 2**60 if row.pages >= 25 else room

    crawl = run(crawl, fill)
    assert (crawl.state, crawl.reason) == FULL
    assert 25 <= crawl.pages < 60
    assert "Free some space" in state_words(crawl).reason

    resume(crawl)
    crawl = run(crawl)
    assert (crawl.state, crawl.reason) == FULL, "nothing is begun without room"

    def refused(self, state) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    settings.LEAST_FREE_DISK = room
    resume(crawl)
    with monkeypatch.context() as patched:
        patched.setattr(Checkpoints, "write", refused)
        crawl = run(crawl)
    assert (crawl.state, crawl.reason) == FULL

    resume(crawl)
    crawl = run(crawl)
    assert crawl.reason == StopReason.BUDGET_REACHED
    assert order(crawl) == expected


def test_a_store_that_is_down_pauses_and_the_crawl_then_ends_as_it_would(
    transactional_db, on: On, tmp_path: Path, monkeypatch
):
    on("a")
    # What other tests have made once is in no store.
    monkeypatch.setattr(run_here, "made_once", lambda key, make, *owner: make())
    web = run_here.made_web(tmp_path)
    topic = run_here.bread(get_user_model().objects.create_user("ada"), web)
    expected = order(run(new_crawl(topic, "breadth_first", budget=60)))
    crawl = new_crawl(topic, "breadth_first", budget=60)
    start_here(crawl)
    on("b")  # a machine that has to fetch web, topic and checkpoints

    def cut(row) -> None:
        Store.down = row.pages >= 25

    monkeypatch.setattr(checkpoints, "EVERY_PAGES", 20)
    monkeypatch.setattr(checkpoints, "MOST_SHARE", float("inf"))
    crawl = run(crawl, cut)
    assert (crawl.state, crawl.reason) == DOWN
    assert 25 <= crawl.pages < 60
    assert "the store of files does not answer as it should" in state_words(crawl).reason

    on("c")
    resume(crawl)
    crawl = run(crawl)
    assert (crawl.state, crawl.reason) == DOWN, "nothing can be fetched from it"

    Store.down = False
    resume(crawl)
    crawl = run(crawl)
    assert crawl.reason == StopReason.BUDGET_REACHED
    assert order(crawl) == expected
