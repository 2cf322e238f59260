"""The values by which crawls are filtered and ordered: one light row a crawl, in one query."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from apps.crawls.models import Crawl
from apps.engine.intelligence.strategies import strategy_title

COLUMNS = (
    "pk", "topic_id", "topic__name", "strategy", "web_id", "web__name", "state", "name", "note",
    "tags", "pages", "created_at", "started_at", "metrics__harvest_rate", "metrics__target_recall",
)


@dataclass(frozen=True, slots=True)
class Listed:
    """One crawl without its parameters, curves and counts."""

    pk: int
    topic_id: int
    topic: str
    strategy: str
    web_id: int
    web: str
    state: str
    name: str
    note: str
    tags: list[str]
    pages: int
    created_at: datetime
    started_at: datetime | None
    harvest: float | None
    recall: float | None

    @property
    def begun(self) -> datetime:
        """When it was started, or made if it has not been."""
        return self.started_at or self.created_at

    @property
    def title(self) -> str:
        """The strategy's title."""
        return strategy_title(self.strategy)

    @property
    def words(self) -> str:
        """All text of the crawl in lower case, for the search."""
        parts = (self.topic, self.name, self.note, *self.tags, self.title, self.strategy, self.web)
        return "\n".join(parts).casefold()


def listed(crawls: QuerySet[Crawl]) -> Iterator[Listed]:
    """The light rows of some crawls."""
    return (Listed(*row) for row in crawls.order_by().values_list(*COLUMNS))
