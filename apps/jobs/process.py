"""Unique names of processes, over all machines and containers that share a database."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from apps.engine.kernel import process_fields


@cache
def this_system() -> str:
    """The system that process numbers of this host belong to: a start of the kernel and a namespace
    of it."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()[:8]
    return f"{boot}-{Path('/proc/self/ns/pid').stat().st_ino}"


def _started(pid: int) -> str | None:
    """When a process started, in clock ticks since boot, or None if it has ended or is a zombie."""
    fields = process_fields(pid)
    return None if fields is None or fields[0] in "ZX" else fields[19]


def this_process() -> str:
    """A name for this process that no other process ever has."""
    return f"{this_system()}:{os.getpid()}:{_started(os.getpid())}"


def system_of(process: str) -> str:
    """The system of the process of that name."""
    return process.partition(":")[0]


def is_gone(runner: str) -> bool:
    """Whether the process of that name has certainly ended. False of a process of another machine
    or container, or from before a restart of this one: there its lease or the time of its last
    word decides."""
    system, _, rest = runner.partition(":")
    pid, _, started = rest.partition(":")
    return system == this_system() and pid.isdecimal() and _started(int(pid)) != started
