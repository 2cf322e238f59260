"""The help on strategies and measures, generated from their classes."""

from __future__ import annotations

import inspect
import sys
from dataclasses import dataclass
from types import ModuleType

from apps.crawls.inputs.needs import strategy_needs
from apps.engine.errors import UnknownStrategy
from apps.engine.evaluation import (
    MEASURES,
    context_quality,
    difficulty,
    precision_recall,
    relevance_distribution,
    significance,
    status_locality,
    status_map,
    status_sample,
    url_overlap,
)
from apps.engine.evaluation.measure import Measure
from apps.engine.intelligence.strategies import CATALOGUE, strategy
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.strategies.parameters import Parameter
from apps.figures.units import UNITS
from apps.screens.help.docstrings import Explained, explained
from apps.screens.new_crawl.strategy_choices import PAPERS

AFTERWARDS: tuple[ModuleType, ...] = (
    precision_recall,
    context_quality,
    status_locality,
    status_map,
    status_sample,
    relevance_distribution,
    url_overlap,
    difficulty,
    significance,
)


@dataclass(frozen=True, slots=True)
class StrategyHelp:
    """The help on a strategy; `papers` are those in its key, `needs` the inputs that a topic must
    have."""

    cls: type[Strategy]
    text: Explained
    papers: tuple[tuple[str, str], ...]
    needs: tuple[str, ...]

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return self.cls.parameters()


@dataclass(frozen=True, slots=True)
class MeasureHelp:
    """The help on a measure; `idea` is its module's text."""

    cls: type[Measure]
    text: Explained
    idea: Explained
    unit: str


def strategies() -> list[StrategyHelp]:
    """Every strategy, in the catalogue's order."""
    return [_strategy(cls) for cls in CATALOGUE]


def strategy_help(id: str) -> StrategyHelp | None:
    """The help on one strategy, or None for an unknown id."""
    try:
        return _strategy(strategy(id))
    except UnknownStrategy:
        return None


def _strategy(cls: type[Strategy]) -> StrategyHelp:
    keys = [key.strip() for key in cls.paper.split(",")]
    papers = tuple((key, ", ".join(PAPERS[key]) if key in PAPERS else "") for key in keys)
    needs = tuple(strategy_needs()[need].words for need in sorted(cls.needs))
    return StrategyHelp(cls, explained(cls), papers, needs)


def measures() -> list[MeasureHelp]:
    """Every measure of a running crawl."""
    return [_measure(cls) for cls in MEASURES]


def measure_help(id: str) -> MeasureHelp | None:
    """The help on one measure, or None for an unknown id."""
    return next((entry for entry in measures() if entry.cls.id == id), None)


def _measure(cls: type[Measure]) -> MeasureHelp:
    module = sys.modules[cls.__module__]
    return MeasureHelp(cls, explained(cls), explained(module), UNITS[cls.unit].meaning)


def report_measures() -> list[Explained]:
    """The help on the measures over crawls' records, one for each module."""
    return [explained(module) for module in AFTERWARDS if inspect.getdoc(module)]
