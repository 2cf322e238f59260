"""A setting of glibc's, which it reads only when a program starts.

Each page's tag tree is thousands of small pieces of memory, freed at once. By default glibc merges
them, and splits them again for the next page, which takes 3 to 7 % of a crawl's CPU. An
administrator's own `GLIBC_TUNABLES`, also an empty one, stays.
"""

from __future__ import annotations

import os
import sys

KEPT = "glibc.malloc.tcache_count=20000"
COUNTS_SO_FAR = (2, 30)
"""The first glibc that counts so many pieces."""


def keep_in_pieces() -> None:
    """Starts this program again in its own place with the setting, unless there is one already; the
    programs that it starts have it too."""
    if "GLIBC_TUNABLES" not in os.environ and _glibc() >= COUNTS_SO_FAR:
        os.environ["GLIBC_TUNABLES"] = KEPT
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def _glibc() -> tuple[int, ...]:
    """The version of glibc; () where there is none."""
    if "CS_GNU_LIBC_VERSION" not in os.confstr_names:
        return ()
    name, _, version = (os.confstr("CS_GNU_LIBC_VERSION") or "").partition(" ")
    return tuple(map(int, version.split("."))) if name == "glibc" else ()
