"""The allocator of processes that read pages, in place of the C library's.

A parsed page is freed as ten thousand pieces. glibc joins them at the next large request, for a
tenth of what a page costs; allocators with a list for each size do not.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from ctypes.util import find_library

from django.conf import settings

PRELOADED = "LD_PRELOAD"


def library() -> str | None:
    """The shared library of the allocator that is set; None if none is set or it is not
    installed."""
    return find_library(settings.ALLOCATOR) if settings.ALLOCATOR else None


def allocator_environment() -> Mapping[str, str]:
    """What starts a process with the allocator, before what is preloaded already; empty without
    one."""
    chosen = library()
    if chosen is None:
        return {}
    return {PRELOADED: " ".join(filter(None, (chosen, os.environ.get(PRELOADED))))}
