"""A crawl's budgets of pages and requests, and what it has used of them."""

from __future__ import annotations

from dataclasses import dataclass

from apps.engine.codes import StopReason


@dataclass(slots=True)
class Limits:
    """The numbers of pages and requests that a crawl may use (`budget`, `request_limit`) and has
    used; `parts` are requests that pages sent while they were rendered."""

    budget: int
    request_limit: int
    pages: int = 0
    requests: int = 0
    parts: int = 0

    def leave_room(self, under_way: int) -> bool:
        """Whether the budgets allow one more request while `under_way` are in flight."""
        return (
            self.pages + under_way < self.budget
            and self.requests + self.parts + under_way < self.request_limit
        )

    def reached(self) -> StopReason | None:
        """The limit that the crawl has reached, if any."""
        if self.pages >= self.budget:
            return StopReason.BUDGET_REACHED
        if self.requests + self.parts >= self.request_limit:
            return StopReason.REQUEST_LIMIT
        return None
