"""Crawls that started from little, on one web, as they are saved."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from apps.research.effectiveness.saved_result import SavedResult, in_lines
from apps.schemas.input import Input

Shares = Annotated[tuple[float, ...], Field(strict=False)]


class StartShares(Input):
    """For each topic, `recall` over the relevant pages that can be reached, and `precision`: the
    share of relevant pages among the hundred that the crawler thinks likeliest (empty if it has no
    opinion); `interval`: of the topics of which enough pages look relevant, how often the interval
    of a person's random answers holds the share of those that are; and its mean `width`."""

    recall: Shares
    precision: Shares = ()
    interval: Shares = ()
    width: Shares = ()


class StartResult(SavedResult):
    """All crawlers of each start, by name, on the same topics."""

    room = "starts"
    results_field = "starts"
    topics: Annotated[tuple[str, ...], Field(strict=False)]
    starts: dict[str, dict[str, StartShares]] = {}

    def has(self, start: str, crawler: str) -> bool:
        return crawler in self.starts.get(start, {})

    def with_crawler(self, start: str, crawler: str, shares: StartShares) -> StartResult:
        """A copy with one crawler more."""
        crawlers = {**self.starts.get(start, {}), crawler: shares}
        return self.model_copy(update={"starts": {**self.starts, start: crawlers}})

    def _lines(self, starts: dict[str, Any]) -> str:
        each = ",\n".join(
            f'  "{start}": {in_lines(crawlers, 4)}' for start, crawlers in starts.items()
        )
        return f"{{\n{each}\n }}"
