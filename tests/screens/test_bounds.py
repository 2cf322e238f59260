"""Bounds with many pages: processor time of any request, and of any write transaction.

On SQLite a transaction holds the one lock for writing from its first statement, so that all others
wait for as long as it takes. Processor time, since the machine may be busy with something else.
"""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.transaction import Atomic
from django.urls import reverse

from apps.collection.indexing.index import list_pages
from apps.crawls.models import Crawl
from apps.exports.models import StoredDownload
from apps.jobs import queue
from apps.jobs.models import Job
from apps.research.bench.screens.addresses import addresses
from apps.topics.definition.schemas import Definition
from apps.topics.services import create_topic
from tests.background import work_on
from tests.crawl_rows import grow
from tests.experiment_fixtures import owner, topics, web  # noqa: F401
from tests.people import site_of
from tests.running_site import ROOT
from tests.screens.test_every_screen import numbers  # noqa: F401

pytestmark = [
    pytest.mark.soak,
    pytest.mark.alike,  # processor time; that of PostgreSQL is not this process's
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not os.environ.get("CRAWLSITE_SOAK"), reason="measures time: make soak"),
]

PAGES = 30_000
REQUEST, TRANSACTION = 2.0, 0.2
"""Seconds."""


@contextmanager
def timed_transactions(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[float, str]]]:
    """The seconds of each transaction, with the line that begins it."""
    enter, leave = Atomic.__enter__, Atomic.__exit__
    begun: list[float] = []
    timed: list[tuple[float, str]] = []

    def timed_enter(self: Atomic) -> None:
        if not connection.in_atomic_block:
            begun[:] = [time.process_time()]
        enter(self)

    def timed_leave(self: Atomic, *error: Any) -> None:
        leave(self, *error)
        if not connection.in_atomic_block and begun:
            timed.append((round(time.process_time() - begun.pop(), 3), _line()))

    monkeypatch.setattr(Atomic, "__enter__", timed_enter)
    monkeypatch.setattr(Atomic, "__exit__", timed_leave)
    yield timed
    monkeypatch.undo()


def _line() -> str:
    """The innermost line of ours."""
    ours = [f for f in traceback.extract_stack() if Path(f.filename).is_relative_to(ROOT / "apps")]
    return f"{Path(ours[-1].filename).relative_to(ROOT)}:{ours[-1].lineno}" if ours else "elsewhere"


@pytest.fixture
def large(numbers: dict[str, object]) -> Crawl:
    """A finished crawl of many pages, on which all screens are."""
    crawl = grow(Crawl.objects.get(pk=numbers["crawls/pk"]), PAGES)
    list_pages(crawl)
    return crawl


def unfinished() -> list[Job]:
    return [
        job
        for model in queue.models()
        for job in model._default_manager.filter(job_state__in=queue.UNFINISHED)
    ]


def test_no_request_takes_two_seconds(owner, numbers, large) -> None:
    site, seconds = site_of(owner), {}
    for address in addresses(numbers):
        begun = time.process_time()
        site.get(address)
        seconds[address] = time.process_time() - begun
    print(sorted(seconds.items(), key=lambda pair: -pair[1])[:8])
    assert {at: round(taken, 2) for at, taken in seconds.items() if taken > REQUEST} == {}


def test_no_transaction_takes_a_fifth_of_a_second(owner, numbers, large, monkeypatch) -> None:
    site, topic = site_of(owner), large.topic_id
    StoredDownload.objects.all().delete()
    slow: dict[str, float] = {}
    posts = (
        (reverse("collection:label_crawl", args=[large.pk]), {"label": "y"}),
        (reverse("downloads:crawl_search", args=[large.pk]) + "?format=csv", {}),
        (reverse("recipes:again", args=[large.pk]), {"on": "same", "do": "draft"}),
        (reverse("topic:copy", args=[topic]), {}),
        (reverse("live:delete", args=[large.pk]), {}),
    )
    with timed_transactions(monkeypatch) as timed:
        monkeypatch.setattr("apps.screens.downloads.views.MOST_AT_ONCE", 1_000)
        for address, values in posts:
            begun = time.process_time()
            answer = site.post(address, values)
            assert answer.status_code < 500, address
            if (taken := time.process_time() - begun) > REQUEST:
                slow[address] = taken
        while jobs := unfinished():
            for job in jobs:
                if type(job)._default_manager.filter(pk=job.pk).exists():  # not deleted with others
                    work_on(job)
    print(len(timed), "transactions, the longest:", sorted(timed, reverse=True)[:8])
    assert len(timed) > 50
    assert (slow, [each for each in timed if each[0] > TRANSACTION]) == ({}, [])
    assert not Crawl.objects.filter(pk=large.pk).exists()


def test_a_topic_of_long_lists_is_saved_within_a_fifth_of_a_second(owner, monkeypatch) -> None:
    lists = {
        name: "\n".join(f"http://{name.replace('_', '-')}{i % 400}.test/{i}" for i in range(8_000))
        for name in ("seeds", "positives", "evaluation_negatives", "targets")
    }
    with timed_transactions(monkeypatch) as timed:
        topic = create_topic(owner, Definition(name="Long lists", lists=lists)).topic
    print("the longest:", max(timed))
    assert topic.seeds.count() == topic.targets.count() == 8_000
    assert [each for each in timed if each[0] > TRANSACTION] == []
