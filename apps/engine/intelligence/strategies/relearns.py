"""Strategies whose scores change when a person labels pages of the crawl."""

from __future__ import annotations

from typing import ClassVar, Literal

from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.model import Visit

Reads = Literal["text", "blocks", "page"]


class Relearns(Strategy):
    """A strategy that is fitted anew when labels change the topic's examples.

    `reads` is what a page's links can then be scored from: its words and the links' places
    (`"text"`), these and the spans of `Explains.context` (`"blocks"`), or the page alone
    (`"page"`). `learns_from_pages`: later scores depend on the τ of every fetched page.
    `scores_move`: a link's score depends on the moment, its page's τ and σ being known.
    """

    reads: ClassVar[Reads] = "page"
    learns_from_pages: bool = False
    scores_move: bool = False

    def reads_examples(self) -> bool:
        """Whether labels change anything with the hyper-parameters in use."""
        return True

    def relearn(self, visit: Visit) -> Visit:
        """Replaces what was learned from the τ of a page fetched before; `visit` has the new one.

        Returns the page as its links are to be scored.
        """
        return visit


def relearning(strategy: Strategy) -> Relearns | None:
    """The strategy, if labels change its scores."""
    return strategy if isinstance(strategy, Relearns) and strategy.reads_examples() else None
