"""Back-link count: ranks URLs by their number of in-links."""

from __future__ import annotations

from typing import Annotated

from apps.engine.intelligence.strategies.base import WaitingUrls
from apps.engine.intelligence.strategies.parameters import NumberRange, Symbol
from apps.engine.intelligence.strategies.reordered import Reordered
from apps.engine.model import Floats


class BacklinkCount(Reordered):
    """Gives a URL the number of fetched pages that link to it (HCLA §5.1, BL).

    Every reorder divides the counts by the largest among the waiting URLs.
    """

    formula = "fetched pages that link to v, over the largest"
    id = "backlink_count"
    title = "Back-link count"
    paper = "HCLA"
    section = "HCLA §2.2, §5.1"
    advice = "For popular pages whatever their topic; needs nothing but seeds."

    def __init__(
        self,
        *,
        reorders_every: Annotated[int, NumberRange(1, 100_000), Symbol("N")] = 50,
        first_reorder: Annotated[int, NumberRange(0, 100_000)] = 0,
    ) -> None:
        super().__init__(reorders_every=reorders_every, first_reorder=first_reorder)

    def rank(self, frontier: WaitingUrls) -> Floats:
        return self.graph_.in_degrees(frontier.numbers).astype(float)
