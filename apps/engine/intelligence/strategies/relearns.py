"""Strategies whose scores change when a person labels pages of a crawl."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.model import Visit

Reads = Literal["text", "blocks", "page"]


class Relearns(Strategy):
    """A strategy that is refitted when labels change the topic's examples.

    `reads` is the input for re-scoring a page's links: its words and the positions of its links
    (`"text"`), these and the spans of `Explains.context` (`"blocks"`), or the whole page
    (`"page"`). `learns_from_pages`: later scores depend on the τ of every fetched page.
    `scores_move`: for given τ and σ of its page, a link's score changes during the crawl.
    `counts_labels`: each label counts at once (`count_label`), before any model is trained again.
    """

    reads: ClassVar[Reads] = "page"
    learns_from_pages: bool = False
    scores_move: bool = False
    counts_labels: ClassVar[bool] = False

    def reads_examples(self) -> bool:
        """Whether labels have an effect with the current hyper-parameters."""
        return True

    def relearn(self, visit: Visit) -> Visit:
        """Replaces the learned τ of an earlier page by that of `visit`.

        Returns the visit to use for scoring its links.
        """
        return visit

    def count_label(self, page: int, url: str, relevant: bool | None) -> None:
        """Counts a person's label of a fetched page by its URL number and final URL, from the next
        `rescore` on; None takes it back."""

    def read_again(self, visit: Visit) -> Any:
        """Reads the texts of an earlier page for `relearn_page`, ahead of it and in another thread.
        The page's links have no numbers."""
        return None

    def forget_pages(self) -> None:
        """Forgets what it learned of pages that `relearn_page` will bring back."""

    def relearn_page(self, visit: Visit, read: Any) -> None:
        """Learns an earlier page again, with the `visit.topicality` of now; for a strategy that
        `learns_from_pages` and scores URLs."""


def relearning(strategy: Strategy) -> Relearns | None:
    """The strategy, if labels change its scores."""
    return strategy if isinstance(strategy, Relearns) and strategy.reads_examples() else None
