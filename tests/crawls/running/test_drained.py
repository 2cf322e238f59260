"""Drained workers hand on their crawls at a commit and take no other, until they are resumed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model

from apps.crawls import tasks
from apps.crawls.commands.lifecycle.start import start_here
from apps.crawls.lifecycle.lease import claim, free_workers
from apps.crawls.models import Crawl
from apps.crawls.running.runner import Runner
from apps.engine.codes import State, StopReason
from apps.jobs.process import this_system
from apps.machines import workers
from apps.machines.models import Workers
from tests.crawl_rows import made_crawl, made_topic
from tests.crawls import run_here


@pytest.fixture
def asked(asked: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The same, and no worker rests."""
    monkeypatch.setattr(tasks, "REST_SECONDS", 0.0)
    return asked


@pytest.mark.alike
def test_a_crawl_is_handed_on_at_a_commit_and_ends_as_it_would(
    transactional_db: None, data_dir: Path, asked: list[tuple[int, int]]
) -> None:
    owner = get_user_model().objects.create_user("ada")
    topic = run_here.bread(owner, run_here.made_web(data_dir))
    expected = run_here.order(run_here.run(run_here.new_crawl(topic, "full_page", budget=100)))
    workers.join()
    crawl = run_here.new_crawl(topic, "full_page", budget=100)
    start_here(crawl)
    claimed = claim(crawl.pk, crawl.epoch)
    assert claimed is not None

    def drain(row: Crawl) -> None:
        if row.pages:
            workers.drain(this_system())

    Runner(claimed, report=drain).run()
    crawl.refresh_from_db()
    assert 0 < crawl.pages < 100 and crawl.runner == ""
    assert (crawl.state, crawl.reason) == (State.QUEUED, StopReason.WAITING_FOR_A_WORKER)
    assert asked.pop() == (crawl.pk, crawl.epoch)

    # Another delivery comes to the same worker, which gives it back as it is.
    assert tasks.run_slice(crawl.pk, crawl.epoch) == "drained"
    assert asked == [(crawl.pk, crawl.epoch)]
    workers.resume(this_system())
    tasks.run_slice(*asked.pop())
    crawl.refresh_from_db()
    assert (crawl.state, crawl.pages) == (State.FINISHED, 100)
    assert run_here.order(crawl) == expected


def test_a_task_that_came_too_late_is_not_put_back(db: None, asked: list[tuple[int, int]]) -> None:
    crawl = made_crawl(made_topic(get_user_model().objects.create_user("ada")), state=State.RUNNING)
    workers.join()
    workers.drain(this_system())
    tasks.run_slice(crawl.pk, crawl.epoch + 1)
    Crawl.objects.filter(pk=crawl.pk).update(runner="another-1:1:2")
    tasks.run_slice(crawl.pk, crawl.epoch)
    Crawl.objects.filter(pk=crawl.pk).update(runner="", state=State.FINISHED)
    tasks.run_slice(crawl.pk, crawl.epoch)
    assert asked == []


def test_drained_workers_are_not_free_and_a_new_start_serves_again(db: None, settings: Any) -> None:
    settings.CRAWLS_AT_ONCE = 2
    assert free_workers() == 2  # as for a crawl in the foreground
    workers.join()
    workers.drain(this_system())
    workers.report_alive()
    assert free_workers() == 0 and workers.are_drained()
    workers.join()
    assert free_workers() == 2 and not workers.are_drained()
    workers.drain("another-1")
    assert free_workers() == 2
    workers.leave()
    assert not Workers.objects.exists()
