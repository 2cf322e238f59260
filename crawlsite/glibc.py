"""A setting of glibc's, which it reads only when a program starts.

Each page's tag tree is thousands of small pieces of memory, freed at once. By default glibc merges
them, and splits them again for the next page, which takes 3 to 7 % of a crawl's CPU. An
administrator's own `GLIBC_TUNABLES`, also an empty one, stays.
"""

from __future__ import annotations

import os
import sys

TUNABLES = "glibc.malloc.tcache_count=20000"
FIRST_VERSION = (2, 30)
"""Of glibc with such a large count."""


def exec_with_malloc_cache() -> None:
    """Executes this program again with the setting, unless there is one already; the programs that
    it starts inherit it."""
    if "GLIBC_TUNABLES" not in os.environ and version() >= FIRST_VERSION:
        os.environ["GLIBC_TUNABLES"] = TUNABLES
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def version() -> tuple[int, ...]:
    """The version of glibc; () where there is none."""
    if "CS_GNU_LIBC_VERSION" not in os.confstr_names:
        return ()
    name, _, number = (os.confstr("CS_GNU_LIBC_VERSION") or "").partition(" ")
    return tuple(map(int, number.split("."))) if name == "glibc" else ()
