"""Facts about processes from the kernel."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def process_fields(pid: int) -> list[str] | None:
    """The fields of a process from its state on, as /proc/[pid]/stat has them (proc(5): the first
    is number 3); None once it has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None


def tree_of(root: int) -> set[int]:
    """The numbers of a process and its descendants."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        pid = int(folder.name)
        with suppress(IndexError):
            if fields := process_fields(pid):
                parents[pid] = int(fields[1])
    tree, before = {root}, 0
    while len(tree) != before:
        before = len(tree)
        tree |= {pid for pid, parent in parents.items() if parent in tree}
    return tree


def memory_of_tree(root: int) -> int:
    """The resident bytes of a process and its descendants."""
    return sum(map(_resident_bytes, tree_of(root)))


def processor_seconds(pid: int) -> float:
    """The processor time that a process has used, 0 once it has ended."""
    return sum(_processor_ticks(pid)[:2]) / os.sysconf("SC_CLK_TCK")


def processor_seconds_of_tree(root: int) -> float:
    """The processor time that a process has used with its descendants, those included that have
    ended and were waited for; 0 once it has ended itself."""
    return sum(sum(_processor_ticks(pid)) for pid in tree_of(root)) / os.sysconf("SC_CLK_TCK")


def _processor_ticks(pid: int) -> list[int]:
    """A process's time in user and in kernel mode, and those of its children that have ended and
    were waited for; empty once it has ended itself."""
    return [int(field) for field in (process_fields(pid) or [])[11:15]]


def _resident_bytes(pid: int) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
