"""The learned weights of a strategy: each term's weight now, and its default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apps.crawls.models import Crawl
from apps.engine.intelligence.cold_start.cold_start import BASES
from apps.engine.intelligence.cold_start.subject import ENOUGH_NO, ENOUGH_YES
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
    """The weights after a page, the greatest first; none before the first page. `basis` names what
    judges texts as long as that is no classifier of examples."""

    page: int
    weights: tuple[Weight, ...]
    basis: str = ""


_EARLY = "From page 50 on it learns from its own pages too; labels teach it at any time."
_TAKES_OVER = (
    f"With about {ENOUGH_YES} labels on the topic and {ENOUGH_NO} off it, a classifier of them"
    " takes over."
)
BASIS_WORDS = {
    "words": f"Guided by your words. {_EARLY}",
    "self_taught": "Guided by your words and by what it has learned from its own pages."
    f" {_TAKES_OVER}",
    "examples": "",
    "words_and_vectors": "Guided by your words and, by word vectors, words used like them."
    f" {_EARLY}",
    "self_taught_and_vectors": "Guided by your words, by word vectors words used like them, and"
    f" what it has learned from its own pages. {_TAKES_OVER}",
}


def learned(state: LiveState) -> Learned | None:
    """The learned weights; None if the strategy of the crawl learns none."""
    strategy = _strategy(state.crawl)
    if strategy is None or not strategy.shipped:
        return None
    telemetry = state.pages[0].telemetry if state.pages else {}
    now = {
        term: telemetry[f"weight_{term}"]
        for term in strategy.shipped
        if f"weight_{term}" in telemetry
    }
    basis = BASES[int(telemetry["basis"])] if "basis" in telemetry else "examples"
    return Learned(state.newest_page, _weights(strategy, now), BASIS_WORDS[basis])


def _weights(strategy: type[Explains], now: Mapping[str, float]) -> tuple[Weight, ...]:
    room = max((abs(w) for w in (*now.values(), *strategy.shipped.values())), default=0.0) or 1.0
    weights = [
        Weight(
            strategy.legend[term].title,
            weight,
            strategy.shipped[term],
            max(0.0, weight) / room,
            strategy.shipped[term] / room,
        )
        for term, weight in now.items()
    ]
    return tuple(sorted(weights, key=lambda weight: -weight.now))


def _strategy(crawl: Crawl) -> type[Explains] | None:
    chosen = next((cls for cls in CATALOGUE if cls.id == crawl.strategy), None)
    return chosen if chosen is not None and issubclass(chosen, Explains) else None
