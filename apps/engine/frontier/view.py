"""The view of the frontier for a strategy that ranks all of it."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from apps.engine.frontier.queue import Frontier
from apps.engine.model import Floats, Longs


class FrontierView:
    """The interface for `Strategy.rescore` (the protocol is in strategies/base.py)."""

    def __init__(self, frontier: Frontier) -> None:
        self._frontier = frontier

    @cached_property
    def numbers(self) -> Longs:
        return self._frontier.waiting_numbers()

    def waiting_among(self, numbers: Longs) -> Longs:
        return self._frontier.waiting_among(numbers)

    def url(self, number: int) -> str:
        return self._frontier.urls[number]

    def parents(self) -> Longs:
        """The page whose link gave the priority, for each of `numbers` (−1: a seed)."""
        return np.frombuffer(self._frontier.parent, np.int32)[self.numbers].astype(np.int64)

    def edges(self) -> tuple[Longs, Longs]:
        self._rows, pages = self._frontier.edges(self.numbers)
        return self._rows, pages

    def combine(self, scores: Floats) -> Floats:
        """One score per waiting URL from one per edge, in the order of `edges()`."""
        return self._frontier.combine(len(self.numbers), self._rows, scores)
