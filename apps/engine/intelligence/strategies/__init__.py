"""The catalogue of strategies, in the order in which the screens list them.

It imports neither scikit-learn nor scipy, since the web server imports it at each start.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from apps.engine.errors import UnknownStrategy
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.strategies.experts import Experts
from apps.engine.intelligence.strategies.guides import GUIDES
from apps.engine.intelligence.strategies.recall_crawler import RecallCrawler

CATALOGUE: tuple[type[Strategy], ...] = (*GUIDES, Experts, RecallCrawler)


def strategy(id: str) -> type[Strategy]:
    """The strategy of that id. Raises UnknownStrategy with a list of all ids."""
    for cls in CATALOGUE:
        if cls.id == id:
            return cls
    ids = ", ".join(cls.id for cls in CATALOGUE)
    raise UnknownStrategy(f"no strategy {id}; there are: {ids}", id=id)


def strategy_title(id: str) -> str:
    """The strategy's title, or the id if it is no longer in the catalogue."""
    return next((cls.title for cls in CATALOGUE if cls.id == id), id)


def describe() -> list[dict[str, Any]]:
    """The catalogue as plain values for JSON, one entry per strategy."""
    return [_described(cls) for cls in CATALOGUE]


def _described(cls: type[Strategy]) -> dict[str, Any]:
    return {
        "id": cls.id,
        "title": cls.title,
        "paper": cls.paper,
        "section": cls.section,
        "summary": (cls.__doc__ or "").strip().split("\n", 1)[0],
        "advice": cls.advice,
        "needs": sorted(need.value for need in cls.needs),
        "scores": cls.scores,
        "parameters": [asdict(parameter) for parameter in cls.parameters()],
    }
