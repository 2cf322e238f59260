"""A setting of glibc's, which it reads only when a program starts.

Each page's tag tree is thousands of small pieces of memory, freed at once. By default glibc merges
them, and splits them again for the next page, which takes 3 to 7 % of a crawl's CPU.
"""

from __future__ import annotations

import os
import sys

KEPT = "glibc.malloc.tcache_count=20000"


def keep_in_pieces() -> None:
    """Starts this program again in its own place with the setting, unless there is one already; the
    programs that it starts have it too."""
    if sys.platform == "linux" and "GLIBC_TUNABLES" not in os.environ:
        os.environ["GLIBC_TUNABLES"] = KEPT
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
