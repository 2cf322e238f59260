"""What the kernel tells of a process."""

from __future__ import annotations

from pathlib import Path


def process_fields(pid: int) -> list[str] | None:
    """The fields of a process from its state on, as /proc/[pid]/stat has them (proc(5): the first
    is number 3); None once it has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
