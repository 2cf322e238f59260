"""What a parent policy is: how the scores of several links to one URL become its priority."""

from __future__ import annotations

from typing import ClassVar

from apps.engine.model import Floats, Longs


class ParentPolicy:
    """A policy keeps nothing. `title` says which score counts, `said` whose a priority is."""

    id: ClassVar[str]
    title: ClassVar[str]
    said: ClassVar[str]

    def merged(self, old: float, seen: int, new: float) -> float:
        """The priority once a further link has scored `new`.

        `old` is the priority from the `seen` (≥ 1) links scored before.
        """
        raise NotImplementedError

    def combined(self, rows: int, row: Longs, scores: Floats) -> Floats:
        """One score a row from one an edge, edges being in the order in which they were found.

        A row without an edge gets 0.
        """
        raise NotImplementedError
