"""Status and topicality of the pages that crawlers fetched on a web, as they are saved."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from apps.research.effectiveness.saved_result import DIGITS, SavedResult
from apps.schemas.input import Input


class CrawlerStatus(Input):
    """For each topic, over the pages that links led to: the share that has its label (`harvest`),
    and the mean ln(1 + in-links) (`status`)."""

    strategy: str
    harvest: Annotated[tuple[float, ...], Field(strict=False)]
    status: Annotated[tuple[float, ...], Field(strict=False)]


class StatusResult(SavedResult):
    """All crawlers on the same topics of one web, by name.

    `locality` is Spearman's correlation of the in-links of pages one link apart, None if they do
    not vary; `mean_status` is the mean ln(1 + in-links) of all pages of the web.
    """

    room = "status"
    results_field = "crawlers"
    topics: Annotated[tuple[str, ...], Field(strict=False)]
    locality: float | None
    mean_status: float
    crawlers: dict[str, CrawlerStatus] = {}

    def with_crawler(self, name: str, crawler: CrawlerStatus) -> StatusResult:
        """A copy with one crawler more, its figures rounded as they are saved."""
        rounded = crawler.model_copy(
            update={
                "harvest": tuple(round(value, DIGITS) for value in crawler.harvest),
                "status": tuple(round(value, DIGITS) for value in crawler.status),
            }
        )
        return self.model_copy(update={"crawlers": {**self.crawlers, name: rounded}})
