"""A disk without room pauses the crawl and says so; nothing that was written is lost (P6)."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model

from apps.crawls.commands.resume import resume
from apps.crawls.messages import state_words
from apps.crawls.running.checkpoints import Checkpoints
from apps.engine.codes import State, StopReason
from apps.topics.models import Topic
from tests.crawls import run_here
from tests.crawls.run_here import new_crawl, order, run

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
