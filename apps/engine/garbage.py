"""Python's search for garbage: objects that nothing needs but that refer to each other."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

NEW_OBJECTS = 10_000


@contextmanager
def seldom_sought() -> Iterator[None]:
    """Looks for garbage after so many new objects instead of 700, and never among what existed
    before: a search through half a million objects of modules and models takes 0.1 s.

    A page leaves hardly any garbage of this kind: it is freed as soon as nothing refers to it.
    """
    before, mine = gc.get_threshold(), not gc.get_freeze_count()
    gc.set_threshold(NEW_OBJECTS, *before[1:])
    if mine:
        gc.freeze()
    try:
        yield
    finally:
        gc.set_threshold(*before)
        if mine:
            gc.unfreeze()
