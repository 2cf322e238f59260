"""The queue's locks: held by one, and never taken to the grave. Tasks: the site's own only."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
from importlib import import_module
from multiprocessing.connection import Connection

import pytest
from django.db import connections
from django.utils.module_loading import import_string
from django_q import cluster, pusher, signing

from crawlsite import parent_death, workers
from crawlsite.workers import TASKS, KernelLock, accept_own_tasks_only, is_own_task
from tests.running_site import ROOT, wait_for

FORK = multiprocessing.get_context("fork")


def hold(lock: KernelLock, reports: Connection) -> None:
    lock.acquire()
    reports.send("held")
    signal.pause()


def held_elsewhere(lock: KernelLock) -> multiprocessing.context.ForkProcess:
    here, there = FORK.Pipe()
    holder = FORK.Process(target=hold, args=(lock, there), daemon=True)
    holder.start()
    assert here.recv() == "held"
    return holder


def test_a_lock_held_by_another_process_is_not_had() -> None:
    lock = KernelLock()
    holder = held_elsewhere(lock)
    assert not lock.acquire(block=False)
    os.kill(holder.pid or 0, signal.SIGKILL)
    holder.join()


def test_a_killed_holder_gives_the_lock_up() -> None:
    lock = KernelLock()
    holder = held_elsewhere(lock)
    os.kill(holder.pid or 0, signal.SIGKILL)
    wait_for(lambda: lock.acquire(block=False), 10)


def test_a_released_lock_can_be_had_again() -> None:
    lock = KernelLock()
    with lock:
        pass
    holder = held_elsewhere(lock)
    holder.kill()
    holder.join()


def test_workers_have_loaded_what_a_crawl_needs_before_they_are_forked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loaded: list[str] = []
    started: list[bool] = []

    class Cluster:
        def start(self) -> None:
            started.append("apps.crawls.tasks" in loaded)

    monkeypatch.setattr(workers, "import_module", loaded.append)
    monkeypatch.setattr(workers, "give_back_tasks", lambda name: 0)
    monkeypatch.setattr(workers, "use_kernel_locks", lambda: None)
    monkeypatch.setattr(workers, "accept_own_tasks_only", lambda: None)
    monkeypatch.setattr(workers, "end_large_workers", lambda: None)
    monkeypatch.setattr(parent_death, "forks_die_with_their_parents", lambda: None)
    monkeypatch.setattr(connections, "close_all", lambda: None)
    monkeypatch.setattr(cluster, "Cluster", Cluster)
    monkeypatch.setenv("Q_CLUSTER_NAME", "")
    workers.run("crawl")
    workers.run("fetch")
    assert started == [True, True]
    assert all(import_module(name) for name in loaded)
    assert loaded == [*workers.LOADED_BEFORE["crawl"]]


OWN = {"func": "apps.jobs.tasks.run", "args": ("uploads.upload", 1, 1), "kwargs": {}}


@pytest.fixture
def own_only(monkeypatch):
    """What the cluster's pusher reads a task with."""
    monkeypatch.setattr(pusher, "SignedPackage", pusher.SignedPackage)
    accept_own_tasks_only()
    return pusher.SignedPackage


def test_a_task_of_the_site_is_taken(own_only) -> None:
    assert own_only.loads(signing.SignedPackage.dumps(OWN)) == OWN


@pytest.mark.parametrize(
    "task",
    [
        {**OWN, "func": "os.system"},
        {**OWN, "func": "apps.jobs.tasks.import_string"},
        {**OWN, "func": os.getcwd},
        {**OWN, "hook": "os.system"},
        {**OWN, "chain": [("os.system", ("true",))]},
        {"args": ()},
        "apps.jobs.tasks.run",
        None,
    ],
)
def test_a_signed_task_that_calls_anything_else_is_refused(own_only, task) -> None:
    assert not is_own_task(task)
    with pytest.raises(signing.BadSignature):
        own_only.loads(signing.SignedPackage.dumps(task))


@pytest.mark.parametrize("entry", [b"", b"x", b"\xff\xfe", b"x:y:z", b"." + b"x" * 1000])
def test_a_malformed_entry_of_the_queue_is_refused(own_only, entry: bytes) -> None:
    with pytest.raises(signing.BadSignature):
        own_only.loads(entry)


def test_every_task_that_the_site_enqueues_is_listed() -> None:
    enqueued = set()
    for path in [*(ROOT / "apps").rglob("*.py"), *(ROOT / "crawlsite").rglob("*.py")]:
        for argument in re.findall(r"\basync_task\(\s*([^,\s]+)", path.read_text()):
            named = re.search(rf'^{argument} = "(.+)"', path.read_text(), re.M)
            enqueued.add(named[1] if named else argument.strip('"'))
    assert enqueued == TASKS
    assert all(callable(import_string(name)) for name in TASKS)
