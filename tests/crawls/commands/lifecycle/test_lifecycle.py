"""Who paused, continued and stopped a crawl, and what was lost, stands among its events."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone

from apps.crawls.commands.catalogue import EVENT_KINDS
from apps.crawls.commands.lifecycle.pause import pause
from apps.crawls.commands.lifecycle.resume import LOST, resume
from apps.crawls.models import Crawl
from apps.engine.codes import State, StopReason
from apps.topics.models import Topic
from tests.crawls import run_here
from tests.crawls.run_here import new_crawl, run


@pytest.fixture
def topic(transactional_db, data_dir: Path) -> Topic:
    owner = get_user_model().objects.create_user("ada")
    return run_here.bread(owner, run_here.made_web(data_dir))


def pausing(row: Crawl) -> None:
    if row.pages >= 20 and not row.events.filter(kind="paused").exists():
        pause(Crawl.objects.get(pk=row.pk), row.owner)


def test_a_pause_and_a_continuation_are_events_by_whom_they_were(topic: Topic) -> None:
    crawl = run(new_crawl(topic, "breadth_first", budget=60), pausing)
    assert crawl.state == State.PAUSED
    resume(crawl, topic.owner)
    crawl = run(crawl)
    message = [(e.kind, e.by, e.request) for e in crawl.events.all()]
    at = crawl.events.get(kind="paused").request
    assert message == [
        ("started", None, 0),
        ("paused", topic.owner, at),
        ("continued", topic.owner, at),
        ("finished", None, crawl.requests),
    ]
    assert EVENT_KINDS["paused"].words({"reason": StopReason.PAUSED_BY_USER}) == ""


def test_a_crawl_that_lost_its_worker_is_reported(topic: Topic) -> None:
    crawl = run(new_crawl(topic, "breadth_first", budget=60), pausing)
    # As a worker leaves it that is killed in mid-run: running, its lease long over.
    Crawl.objects.filter(pk=crawl.pk).update(
        state=State.RUNNING,
        reason=StopReason.LEARNING,
        desired="run",
        runner="boot:1:1",
        lease_until=timezone.now() - timedelta(minutes=1),
    )
    crawl.refresh_from_db()
    crawl = run(crawl)
    assert crawl.reason == StopReason.BUDGET_REACHED
    assert crawl.events.filter(kind=LOST).count() == 1
