"""What the supervisor brings back, and what it leaves alone."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from unittest import mock

import pytest
from django.db import connection, connections, transaction
from django.utils import timezone

from apps.crawls.lifecycle.lease import (
    DATABASE_LOST,
    LostOwnershipError,
    claim,
    name_session,
    release,
    write_fenced,
)
from apps.crawls.models import Crawl
from apps.crawls.running import supervisor
from apps.engine.codes import State, StopReason
from apps.jobs.process import this_process
from apps.machines.models import MachineEvent
from tests.ended_process import ENDED

pytestmark = pytest.mark.django_db


def test_a_runner_of_another_machine_is_left_alone_while_its_lease_lasts(asked, a_crawl):
    crawl = a_crawl(
        state=State.RUNNING, runner="another-1:1:2", lease_until=timezone.now() + timedelta(hours=1)
    )
    assert not supervisor.tick() and not asked
    Crawl.objects.filter(pk=crawl.pk).update(lease_until=timezone.now())
    assert supervisor.tick()


def test_a_crawl_whose_runner_is_gone_is_queued_again(asked, a_crawl):
    crawl = a_crawl(
        state=State.RUNNING, epoch=3, runner=ENDED, lease_until=timezone.now() + timedelta(hours=1)
    )
    assert supervisor.tick()
    crawl.refresh_from_db()
    assert (crawl.runner, crawl.epoch) == ("", 3)
    assert MachineEvent.objects.get().payload == {"crawl": crawl.pk}
    assert asked == [(crawl.pk, 3)]


def test_a_crawl_whose_runner_lives_and_renews_is_left_alone(asked, a_crawl):
    a_crawl(
        state=State.RUNNING,
        epoch=3,
        runner=this_process(),
        lease_until=timezone.now() + timedelta(seconds=5),
    )
    assert supervisor.tick() == []
    assert asked == []


def test_a_task_that_no_worker_took_is_asked_for_again(asked, a_crawl, settings):
    late = timezone.now() - timedelta(seconds=settings.HAND_OFF_SECONDS + 1)
    crawl = a_crawl(state=State.QUEUED, epoch=1, runner="", enqueued_at=late)
    assert supervisor.tick()
    assert asked == [(crawl.pk, 1)]


def test_nothing_is_asked_for_while_every_worker_is_busy(asked, a_crawl, settings):
    settings.CRAWLS_AT_ONCE = 1
    late = timezone.now() - timedelta(seconds=settings.HAND_OFF_SECONDS + 1)
    a_crawl(
        state=State.RUNNING,
        runner=this_process(),
        lease_until=timezone.now() + timedelta(seconds=5),
    )
    a_crawl(state=State.QUEUED, runner="", enqueued_at=late)
    supervisor.tick()
    assert asked == []


def test_a_cut_network_is_tried_again_after_a_minute(asked, a_crawl):
    paused = timezone.now() - timedelta(seconds=61)
    crawl = a_crawl(
        state=State.PAUSED,
        reason=StopReason.NO_NETWORK,
        runner="",
        reason_details={"at": paused.isoformat()},
    )
    waits = a_crawl(
        state=State.PAUSED,
        reason=StopReason.NO_NETWORK,
        runner="",
        reason_details={"at": timezone.now().isoformat()},
    )
    supervisor.tick()
    assert [pk for pk, _ in asked] == [crawl.pk]
    waits.refresh_from_db()
    assert waits.state == State.PAUSED


def test_only_the_first_claim_of_an_epoch_gets_the_crawl(a_crawl):
    crawl = a_crawl(state=State.QUEUED, epoch=4, runner="")
    first = claim(crawl.pk, 4)
    assert first is not None
    assert first.epoch == 5
    assert claim(crawl.pk, 4) is None
    assert claim(crawl.pk, 5) is None, "it is held"


def test_whoever_lost_a_crawl_can_write_nothing_more(a_crawl):
    crawl = a_crawl(state=State.QUEUED, epoch=0, runner="")
    late = claim(crawl.pk, 0)
    assert late is not None
    Crawl.objects.filter(pk=crawl.pk).update(runner="", lease_until=None)
    now_his = claim(crawl.pk, 1)
    assert now_his is not None
    with pytest.raises(LostOwnershipError):
        write_fenced(late, pages=99)
    with pytest.raises(LostOwnershipError):
        release(late, state=State.FAILED)
    crawl.refresh_from_db()
    assert (crawl.pages, crawl.epoch) == (0, 2)


def in_mid_transaction() -> None:
    """The server waits for the next statement."""


def in_mid_request() -> None:
    """The server waits for the second half of a statement that is too large for one packet."""
    pgconn = connection.connection.pgconn
    pgconn.nonblocking = 1
    pgconn.send_query_params(b"SELECT length($1::text)", [b"x" * 2**26])
    assert pgconn.flush() == 1, "all has been sent"


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no such sessions")
@pytest.mark.parametrize("suspended", [in_mid_transaction, in_mid_request])
def test_a_suspended_runner_keeps_no_lock_past_its_lease(asked, a_crawl, suspended):
    crawl = a_crawl(
        state=State.RUNNING,
        epoch=3,
        runner=this_process(),
        lease_until=timezone.now() + timedelta(hours=1),
    )
    held, taken = threading.Event(), threading.Event()

    def run() -> None:
        name_session(crawl)
        try:
            with pytest.raises(DATABASE_LOST), transaction.atomic():
                write_fenced(crawl, pages=1)
                suspended()
                held.set()
                taken.wait()
                write_fenced(crawl, pages=2)
        finally:
            held.set()
            connections.close_all()

    with ThreadPoolExecutor(1) as thread:
        zombie = thread.submit(run)
        held.wait()
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '60s'")
        later = timezone.now() + timedelta(hours=2)
        with mock.patch("django.utils.timezone.now", return_value=later):
            try:
                supervisor.tick()
            finally:
                taken.set()
        zombie.result()
    crawl.refresh_from_db()
    assert asked == [(crawl.pk, 3)]
    assert (crawl.runner, crawl.pages) == ("", 0)
