"""The queue's locks: held by one, and never taken to the grave."""

from __future__ import annotations

import multiprocessing
import os
import signal
from multiprocessing.connection import Connection

from crawlsite.workers import KernelLock
from tests.running_site import wait_for

FORK = multiprocessing.get_context("fork")


def hold(lock: KernelLock, told: Connection) -> None:
    lock.acquire()
    told.send("held")
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
