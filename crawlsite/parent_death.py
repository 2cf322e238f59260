"""Processes that end with their parent, even if it is killed.

Linux only (`prctl`); on other systems the children of a killed parent go on.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_SET_PARENT_DEATH_SIGNAL = 1
# Looked up here, since nothing may be loaded between fork and exec.
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def die_with(parent: int) -> None:
    """Makes the kernel kill this process when `parent` ends; call it in a new child."""
    if _libc is None:
        return
    _libc.prctl(_SET_PARENT_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        # The parent had ended before.
        os._exit(1)


def forks_die_with_their_parents() -> None:
    """Makes every later fork of this process, and their forks, end with its parent."""
    parent = os.getpid()

    def remember() -> None:
        nonlocal parent
        parent = os.getpid()

    os.register_at_fork(before=remember, after_in_child=lambda: die_with(parent))
