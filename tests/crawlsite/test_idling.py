"""A worker that waits and is large ends; one that is small, or has something to do, goes on."""

from __future__ import annotations

import multiprocessing
from queue import Queue
from types import SimpleNamespace

import pytest
from django_q import cluster

from crawlsite import idling
from crawlsite.idling import RECYCLED, STOP, WaitingWhileSmall
from crawlsite.workers import end_large_workers, use_kernel_locks

FORK = multiprocessing.get_context("fork")


def waiting(*tasks: str) -> WaitingWhileSmall:
    queue: Queue[str] = Queue()
    for task in tasks:
        queue.put(task)
    return WaitingWhileSmall(queue, SimpleNamespace(value=-1))


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idling, "IDLE_SECONDS", 0.05)


def test_a_large_worker_does_what_there_is_and_then_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idling, "LARGE", 0)
    tasks = waiting("one", "two")
    assert [*iter(tasks.get, STOP)] == ["one", "two"]
    assert tasks._timer.value == RECYCLED


class Refilled(Queue[str]):
    """Is empty the first few times it is waited for."""

    waits = 0

    def get(self, block: bool = True, timeout: float | None = None) -> str:
        self.waits += 1
        if self.waits == 3:
            self.put("late")
        return super().get(block, timeout)


def test_a_small_worker_waits_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idling, "LARGE", 2**50)
    queue, timer = Refilled(), SimpleNamespace(value=-1)
    assert WaitingWhileSmall(queue, timer).get() == "late"
    assert queue.waits == 3 and timer.value == -1


def test_a_small_worker_leaves_its_turn_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(idling, "LARGE", 2**50)
    monkeypatch.setattr("crawlsite.idling.time.sleep", pauses.append)
    assert WaitingWhileSmall(Refilled(), SimpleNamespace(value=-1)).get() == "late"
    assert pauses == [idling.TURN_SECONDS] * 2


def test_a_workers_process_ends_after_the_tasks_it_took(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "worker", cluster.worker)
    monkeypatch.setattr(cluster, "Queue", cluster.Queue)
    monkeypatch.setattr(idling, "LARGE", 0)
    use_kernel_locks()
    end_large_workers()
    tasks, results = cluster.Queue(), cluster.Queue()
    timers = [FORK.Value("f", -1) for _ in range(2)]
    tasks.put({"func": "operator.add", "name": "sum", "args": (1, 2), "kwargs": {}, "sync": True})
    workers = [
        FORK.Process(target=cluster.worker, args=(tasks, results, timer), daemon=True)
        for timer in timers
    ]
    for worker in workers:
        worker.start()
    assert results.get(timeout=600)["result"] == 3
    for worker in workers:
        worker.join(600)
    assert [timer.value for timer in timers] == [RECYCLED, RECYCLED]
