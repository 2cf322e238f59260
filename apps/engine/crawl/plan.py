"""The settings of a crawl."""

from __future__ import annotations

from dataclasses import dataclass, field

from apps.engine.frontier.revisits import Revisits
from apps.engine.frontier.scope import Scope
from apps.engine.networking.politeness import Politeness


@dataclass(frozen=True, slots=True)
class Plan:
    """A crawl's limits, scope and politeness.

    `budget` is the maximum of pages, `request_limit` that of requests. `policy` is the id of a
    parent policy, `order` that of a pick order. On a recorded web
    (`recorded`) there are no delays and answers are applied in the order of picking, so that the
    crawl is reproducible. A batch closes after `batch_requests` requests or `batch_seconds`
    seconds; neither affects the crawl. A sample is taken every `sample_every` pages, less often in
    a long crawl (`sampling`). Without
    `keeps_rows` batches have pages, failures, samples and events only: no frontier rows, hosts,
    queue head or packed link contexts, which only the database needs. With `revisits` the crawl
    is a visit: it begins with the addresses that are due.
    """

    budget: int
    request_limit: int
    scope: Scope = field(default_factory=Scope)
    politeness: Politeness = field(default_factory=Politeness)
    policy: str = "max"
    order: str = "best_first"
    recorded: bool = False
    batch_requests: int = 25
    batch_seconds: float = 0.5
    sample_every: int = 10
    keeps_rows: bool = True
    revisits: Revisits | None = None

    @property
    def in_flight(self) -> int:
        """How many requests may be under way at once."""
        return 1 if self.recorded else self.politeness.concurrent
