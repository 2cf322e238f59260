"""Python's search for garbage: objects that nothing needs but that refer to each other."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

NEW_OBJECTS = 10_000


@contextmanager
def seldom_sought() -> Iterator[None]:
    """Looks for garbage only after so many new objects, and not among those that exist now: a
    search through half a million objects of modules and models takes 0.1 s.

    A page leaves hardly any garbage of this kind: it is freed as soon as nothing refers to it. What
    the process had set is back once the last of several users has ended. If something has been put
    aside before (`gc.freeze`), it stays there, and nothing else is.
    """
    _search.begin()
    try:
        yield
    finally:
        _search.end()


class _Search:
    """What the process had set before the first of its `users`, and whether they have put
    something aside."""

    def __init__(self) -> None:
        self.users = 0
        self.threshold = gc.get_threshold()
        self.froze = False

    def begin(self) -> None:
        self.users += 1
        if self.users > 1:
            return
        self.threshold, self.froze = gc.get_threshold(), not gc.get_freeze_count()
        gc.set_threshold(NEW_OBJECTS, *self.threshold[1:])
        if self.froze:
            gc.freeze()

    def end(self) -> None:
        self.users -= 1
        if self.users:
            return
        gc.set_threshold(*self.threshold)
        if self.froze:
            gc.unfreeze()


_search = _Search()
