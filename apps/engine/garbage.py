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
    process's own settings are restored when the last of several users ends; what was frozen before
    (`gc.freeze`) is searched from then on, unless by `freeze_for_good`.
    """
    _search.begin()
    try:
        yield
    finally:
        _search.end()


def freeze_for_good() -> None:
    """Leaves the present objects out of the search to the end of the process, in which no user of
    `collect_rarely` freezes others."""
    gc.freeze()
    _search.may_freeze = False


class _Search:
    """The process's settings before the first of the `users`, and whether these `may_freeze`."""

    def __init__(self) -> None:
        self.users = 0
        self.threshold = gc.get_threshold()
        self.may_freeze = True

    def begin(self) -> None:
        self.users += 1
        if self.users > 1:
            return
        self.threshold = gc.get_threshold()
        gc.set_threshold(NEW_OBJECTS, *self.threshold[1:])
        if self.may_freeze:
            gc.freeze()

    def end(self) -> None:
        self.users -= 1
        if self.users:
            return
        gc.set_threshold(*self.threshold)
        if self.may_freeze:
            gc.unfreeze()


_search = _Search()
