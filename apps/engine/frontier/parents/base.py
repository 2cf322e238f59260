"""The interface of a parent policy: it combines the scores of several links to one URL."""

from __future__ import annotations

from typing import ClassVar

from apps.engine.model import Floats, Longs


class ParentPolicy:
    """Policies are stateless. `title` names the score that counts, `phrase` its parents."""

    id: ClassVar[str]
    title: ClassVar[str]
    phrase: ClassVar[str]

    def merge(self, old: float, seen: int, new: float) -> float:
        """The priority once a further link has scored `new`.

        `old` is the priority from the `seen` (≥ 1) links scored before.
        """
        raise NotImplementedError

    def combine(self, rows: int, row: Longs, scores: Floats) -> Floats:
        """One score per row from one per edge. Edges are in order of discovery.

        A row without an edge gets 0.
        """
        raise NotImplementedError
