"""The processor time of another process of this machine."""

from __future__ import annotations

from pathlib import Path


def process_seconds(process: int) -> float:
    """The seconds of CPU that a process of one thread has taken, by its number. Raises OSError if
    it has ended, or where the system is not Linux."""
    nanoseconds, *_ = Path(f"/proc/{process}/schedstat").read_text().split()
    return int(nanoseconds) / 1e9
