"""Strategies that explain a score by the terms of their formula and the words they read."""

from __future__ import annotations

from collections.abc import Mapping

from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.model import Spans, Visit


class Explains(Strategy):
    """A strategy that explains the score of a link. Explaining changes nothing it has learned."""

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        """The terms of the formula for `visit.links.urls[link]`, by the paper's letters."""
        raise NotImplementedError

    def context(self, visit: Visit) -> Spans | None:
        """The words it reads round each link, or None if it reads the page as a whole.

        One row an occurrence, or one a distinct target.
        """
        return None

    def restore_telemetry(self, telemetry: Mapping[str, float]) -> None:
        """Takes back the `telemetry` of an earlier page, as far as scores depend on it."""
