"""Processes that end when the process that began them ends, however it ended.

Linux only (`prctl`); elsewhere a parent that was killed outright leaves its children behind.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_SET_PARENT_DEATH_SIGNAL = 1
# Looked up beforehand: between fork and exec nothing may be loaded.
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def die_with(parent: int) -> None:
    """Have the kernel kill this process when `parent` ends; for a fresh child of it."""
    if _libc is None:
        return
    _libc.prctl(_SET_PARENT_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        # It ended before the kernel knew.
        os._exit(1)


def forks_die_with_their_parents() -> None:
    """Let every later fork of this process, and theirs, die with its own parent."""
    parent = os.getpid()

    def remember() -> None:
        nonlocal parent
        parent = os.getpid()

    os.register_at_fork(before=remember, after_in_child=lambda: die_with(parent))
