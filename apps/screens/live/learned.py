"""What a strategy has learned: how much each term weighs now, and weighed when it was shipped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apps.crawls.models import Crawl
from apps.engine.intelligence.strategies import CATALOGUE
from apps.engine.intelligence.strategies.explains import Explains
from apps.screens.live.live_state import LiveState


@dataclass(frozen=True, slots=True)
class Weight:
    """One term: its title, its weight now and at the start. The bar is `width` wide and the start
    marked at `tick`, as shares of the room for bars."""

    title: str
    now: float
    shipped: float
    width: float
    tick: float


@dataclass(frozen=True, slots=True)
class Learned:
    """The weights after a page, the greatest first; none before the first page."""

    page: int
    weights: tuple[Weight, ...]


def learned(state: LiveState) -> Learned | None:
    """None if the strategy of the crawl learns no weights."""
    strategy = _strategy(state.crawl)
    if strategy is None or not strategy.shipped:
        return None
    telemetry = state.pages[0].telemetry if state.pages else {}
    now = {term: telemetry[f"weight_{term}"] for term in strategy.shipped
           if f"weight_{term}" in telemetry}  # fmt: skip
    return Learned(state.newest_page, _weights(strategy, now))


def _weights(strategy: type[Explains], now: Mapping[str, float]) -> tuple[Weight, ...]:
    room = max((abs(w) for w in (*now.values(), *strategy.shipped.values())), default=0.0) or 1.0
    found = [
        Weight(strategy.legend[term].title, weight, strategy.shipped[term],
               max(0.0, weight) / room, strategy.shipped[term] / room)
        for term, weight in now.items()
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda weight: -weight.now))


def _strategy(crawl: Crawl) -> type[Explains] | None:
    found = next((cls for cls in CATALOGUE if cls.id == crawl.strategy), None)
    return found if found is not None and issubclass(found, Explains) else None
