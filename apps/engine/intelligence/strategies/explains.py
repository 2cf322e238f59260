"""Strategies that can explain a score by the terms of its formula and the words it depends on."""

from __future__ import annotations

from collections.abc import Mapping

from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.model import Spans, Visit


class Explains(Strategy):
    """A strategy that can explain the score of a link, without changing its state."""

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        """The terms of the formula for `visit.links.urls[link]`, by the paper's symbols."""
        raise NotImplementedError

    def context(self, visit: Visit) -> Spans | None:
        """The context of each link, or None if the strategy reads the page as a whole.

        One row per occurrence, or one per distinct target.
        """
        return None

    def restore_telemetry(self, telemetry: Mapping[str, float]) -> None:
        """Restores those values of an earlier page's `telemetry` on which scores depend."""
