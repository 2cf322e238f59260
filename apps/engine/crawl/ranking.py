"""Has a strategy rank the waiting URLs again."""

from __future__ import annotations

from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.view import FrontierView
from apps.engine.intelligence.strategies.base import Moved, Strategy


def rank_again(strategy: Strategy, frontier: Frontier, now: float) -> int:
    """Puts the strategy's new priorities into effect. Returns how many waiting URLs have one."""
    view = FrontierView(frontier)
    found = strategy.rescore(view)
    if found is None:
        return 0
    if isinstance(found, Moved):
        frontier.change_priorities(found.numbers, found.priorities, now)
        return len(found.numbers)
    frontier.replace_priorities(view.numbers, found, now)
    return len(view.numbers)
