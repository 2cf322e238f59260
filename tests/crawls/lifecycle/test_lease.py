"""Who owns a crawl, and until when."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from apps.crawls.lifecycle import lease
from apps.crawls.lifecycle.lease import LostOwnershipError
from apps.crawls.messages import state_words
from apps.crawls.models import Crawl
from apps.engine.codes import State
from apps.jobs.process import this_process, this_system

pytestmark = pytest.mark.django_db

LATER = timedelta(hours=1)


def owned(a_crawl: Callable[..., Crawl]) -> Crawl:
    crawl = a_crawl(state=State.QUEUED, epoch=3)
    claim = lease.claim(crawl.pk, 3)
    assert claim is not None
    return claim


def test_a_claim_raises_the_epoch_and_lasts_as_long_as_a_lease(a_crawl, settings):
    began = timezone.now()
    crawl = owned(a_crawl)
    assert (crawl.epoch, crawl.runner, crawl.enqueued_at) == (4, this_process(), None)
    term = timedelta(seconds=settings.LEASE_SECONDS)
    assert began + term <= crawl.lease_until <= timezone.now() + term


@pytest.mark.parametrize(
    "values",
    [
        {"epoch": 4},
        {"state": State.FINISHED},
        {"runner": "other:1:2", "lease": LATER},
    ],
)
def test_nobody_claims_another_epoch_an_ended_crawl_or_one_that_is_held(a_crawl, values):
    held = timezone.now() + values.pop("lease", -LATER)
    crawl = a_crawl(**{"state": State.QUEUED, "epoch": 3, "lease_until": held, **values})
    assert lease.claim(crawl.pk, 3) is None
    crawl.refresh_from_db()
    assert crawl.epoch == values.get("epoch", 3)


def test_a_lapsed_lease_may_be_claimed(a_crawl):
    crawl = a_crawl(
        state=State.RUNNING, epoch=3, runner="other:1:2", lease_until=timezone.now() - LATER
    )
    assert lease.claim(crawl.pk, 3) is not None


def test_each_write_renews_the_lease_and_counts_a_commit(a_crawl, settings):
    crawl = owned(a_crawl)
    Crawl.objects.filter(pk=crawl.pk).update(lease_until=None)
    began = timezone.now()
    for commits in (1, 2):
        lease.write_fenced(crawl, pages=7)
        crawl.refresh_from_db()
        assert (crawl.commits, crawl.pages) == (commits, 7)
    assert crawl.lease_until >= began + timedelta(seconds=settings.LEASE_SECONDS)


@pytest.mark.parametrize("taken", [{"epoch": 5}, {"runner": "other:1:2"}])
def test_who_has_lost_a_crawl_writes_nothing(a_crawl, asked, taken):
    crawl = owned(a_crawl)
    Crawl.objects.filter(pk=crawl.pk).update(**taken)
    with pytest.raises(LostOwnershipError, match=f"crawl {crawl.pk} is no longer at epoch 4"):
        lease.write_fenced(crawl, pages=7)
    with pytest.raises(LostOwnershipError):
        lease.release(crawl, pages=7)
    assert lease.give_back(crawl) is False
    now = Crawl.objects.get(pk=crawl.pk)
    assert (now.pages, now.commits, now.runner) == (0, 0, taken.get("runner", crawl.runner))
    assert not asked


def test_a_released_crawl_has_its_last_values_and_no_runner(a_crawl, asked):
    crawl = owned(a_crawl)
    lease.release(crawl, pages=7)
    crawl.refresh_from_db()
    assert (crawl.pages, crawl.runner, crawl.lease_until, crawl.epoch) == (7, "", None, 4)
    assert not asked


def test_a_crawl_given_back_is_asked_for_again(a_crawl, asked):
    crawl = owned(a_crawl)
    assert lease.give_back(crawl) is True
    crawl.refresh_from_db()
    assert (crawl.runner, crawl.lease_until) == ("", None) and crawl.enqueued_at is not None
    assert asked == [(crawl.pk, 4)]


@pytest.mark.parametrize(
    ("values", "waits"),
    [
        ({}, True),
        ({"epoch": 4}, False),
        ({"runner": "other:1:2"}, False),
        ({"state": State.FINISHED}, False),
    ],
)
def test_only_a_crawl_that_still_waits_is_put_back(a_crawl, asked, values, waits):
    crawl = a_crawl(**{"state": State.QUEUED, "epoch": 3, **values})
    lease.put_back(crawl.pk, 3)
    assert asked == ([(crawl.pk, 3)] if waits else [])


def test_the_task_names_its_crawl_and_goes_to_the_workers_of_crawls(a_crawl, monkeypatch, settings):
    settings.REDIS_URL = ""
    tasks: list[tuple[Any, ...]] = []
    monkeypatch.setattr(lease, "async_task", lambda *given, **named: tasks.append((*given, named)))
    crawl = a_crawl(state=State.QUEUED, epoch=3)
    lease.enqueue(crawl.pk, 3)
    name = f"crawl {crawl.pk} epoch 3"
    assert tasks == [
        (
            "apps.crawls.tasks.run_slice",
            crawl.pk,
            3,
            {"cluster": settings.CRAWL_CLUSTER, "task_name": name},
        )
    ]


def test_with_a_broker_it_is_asked_for_when_the_transaction_is_committed(
    a_crawl, asked, settings, django_capture_on_commit_callbacks
):
    crawl = a_crawl(state=State.QUEUED, epoch=3)
    settings.REDIS_URL = "redis://127.0.0.1/9"
    with django_capture_on_commit_callbacks(execute=True):
        lease.enqueue(crawl.pk, 3)
        assert not asked
    assert asked == [(crawl.pk, 3)]


def test_a_session_is_named_after_its_crawl_where_the_database_has_names(a_crawl):
    crawl = owned(a_crawl)
    lease.name_session(crawl)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SHOW application_name")
            assert cursor.fetchone() == (f"crawlsite crawl {crawl.pk} epoch 4",)
    lease.end_session(made_other(crawl))


def made_other(crawl: Crawl) -> Crawl:
    """The crawl at an epoch of which there is no session."""
    return Crawl(pk=crawl.pk, epoch=crawl.epoch + 1)


def test_workers_that_run_a_crawl_are_not_free_and_drained_ones_never(
    a_crawl, monkeypatch, settings
):
    settings.CRAWLS_AT_ONCE = 3
    for runner, state in (
        (f"{this_system()}:1:2", State.RUNNING),
        ("other:1:2", State.RUNNING),
        (f"{this_system()}:1:3", State.FINISHED),
    ):
        a_crawl(runner=runner, state=state)
    assert lease.free_workers() == 2
    monkeypatch.setattr(lease.workers, "are_drained", lambda: True)
    assert lease.free_workers() == 0


def test_a_crawl_that_no_worker_takes_in_ten_seconds_is_reported(a_crawl):
    waiting = a_crawl(state=State.QUEUED, enqueued_at=timezone.now())
    assert "no worker answers" not in state_words(waiting).reason
    waiting.enqueued_at = timezone.now() - timedelta(seconds=11)
    assert state_words(waiting).reason == "no worker answers. Start one: manage.py up"


def test_a_crawl_that_waits_for_busy_workers_does_not(a_crawl, settings):
    settings.CRAWLS_AT_ONCE = 1
    a_crawl(state=State.RUNNING, runner=this_process())
    late = timezone.now() - timedelta(minutes=1)
    assert not lease.is_unanswered(a_crawl(state=State.QUEUED, enqueued_at=late))
