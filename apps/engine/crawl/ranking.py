"""Re-ranks the waiting URLs by the strategy."""

from __future__ import annotations

from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.view import FrontierView
from apps.engine.intelligence.strategies.base import Moved, Strategy


def rank_again(strategy: Strategy, frontier: Frontier, now: float) -> int:
    """Puts the strategy's new priorities into effect. Returns how many waiting URLs have one."""
    view = FrontierView(frontier)
    scored = strategy.rescore(view)
    if scored is None:
        return 0
    if isinstance(scored, Moved):
        frontier.change_priorities(scored.numbers, scored.priorities, now)
        return len(scored.numbers)
    frontier.replace_priorities(view.numbers, scored, now)
    return len(view.numbers)
