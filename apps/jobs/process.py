"""Unique names of processes."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path


@cache
def _boot() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()[:8]


def _started(pid: int) -> str | None:
    """When a process started, in clock ticks since boot, or None if it has ended or is a zombie."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]


def this_process() -> str:
    """A name for this process that no other process ever has."""
    return f"{_boot()}:{os.getpid()}:{_started(os.getpid())}"


def is_gone(runner: str) -> bool:
    """Whether the process of that name has ended, or the machine has rebooted since."""
    boot, pid, started = runner.split(":")
    return boot != _boot() or _started(int(pid)) != started
