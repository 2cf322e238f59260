"""Python's search for garbage: objects that nothing needs but that refer to each other."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

NEW_OBJECTS = 10_000


@contextmanager
def collect_rarely() -> Iterator[None]:
    """Makes Python collect garbage only after many new objects, and not among the present ones: a
    search through half a million objects of modules and models takes 0.1 s.

    A page leaves hardly any garbage of this kind: it is freed as soon as nothing refers to it. The
    process's own settings are restored when the last of several users ends. Objects that were
    frozen before (`gc.freeze`) stay frozen, and no others are; but for those of `freeze_start`,
    which are searched from then on.
    """
    _search.begin()
    try:
        yield
    finally:
        _search.end()


def freeze_start() -> None:
    """Leaves what a process has loaded at its start out of the search, until a first user of
    `collect_rarely` ends."""
    gc.freeze()
    _search.at_start = gc.get_freeze_count()


class _Search:
    """The process's settings before the first of the `users`, and whether they froze objects."""

    def __init__(self) -> None:
        self.users = 0
        self.threshold = gc.get_threshold()
        self.froze = False
        self.at_start = 0

    def begin(self) -> None:
        self.users += 1
        if self.users > 1:
            return
        self.threshold, self.froze = gc.get_threshold(), gc.get_freeze_count() <= self.at_start
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
            self.at_start = 0


_search = _Search()
