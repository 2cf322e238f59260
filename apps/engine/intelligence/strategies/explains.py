"""Strategies that can explain a score by the terms of its formula and the words it depends on."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from apps.engine.intelligence.cold_start.cold_start import Basis
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.strategies.terms import TERMS, ScoreTerm
from apps.engine.model import Longs, Spans, Visit


class Explains(Strategy):
    """A strategy that can explain the score of a link, without changing its state.

    `legend` describes the terms; a term without an entry stands for itself. If they add up to
    the log-odds of the score, `sums_to` names the score. If the strategy learns how much each term
    weighs, `shipped` has the weights that it starts with, and a page's telemetry those of then, as
    `weight_…`.
    """

    legend: ClassVar[Mapping[str, ScoreTerm]] = TERMS
    sums_to: ClassVar[str] = ""
    shipped: Mapping[str, float] = MappingProxyType({})

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        """The terms of the formula for `visit.links.urls[link]`, by the paper's symbols."""
        raise NotImplementedError

    def leading_terms(self, urls: Longs) -> list[str]:
        """The term that raises each waiting URL most, by the current evidence; empty where none
        does, or where pages would have to be read again."""
        return [""] * len(urls)

    def context(self, visit: Visit) -> Spans | None:
        """The context of each link, or None if the strategy reads the page as a whole.

        One row per occurrence, or one per distinct target.
        """
        return None

    def chosen_by(self, telemetry: Mapping[str, float]) -> Mapping[str, float] | None:
        """The terms by which a fetched page was chosen, if they are in its `telemetry`."""
        return None

    def basis_of(self, telemetry: Mapping[str, float]) -> Basis:
        """The basis on which texts were judged when a page with this `telemetry` was chosen;
        without telemetry, the current basis."""
        return "examples"

    def restore_telemetry(self, telemetry: Mapping[str, float]) -> None:
        """Restores the values in an earlier page's `telemetry` on which scores depend."""
