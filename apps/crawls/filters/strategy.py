"""The filter by strategy."""

from __future__ import annotations

from apps.engine.intelligence.strategies import strategy_title
from apps.search.filter import Field
from apps.search.list_filters import WordValues


class CrawlStrategy(WordValues):
    """Filters by the strategy of the crawl."""

    id = "strategy"
    title = "Strategy"
    sentence = "The strategy that guides the crawl."
    unknown = "is not the id of a strategy"
    fields = (Field("strategy", "Ids of strategies."),)
    example = "strategy=full_page"
    column = "strategy"

    def words(self, key: str) -> str:
        return strategy_title(key)


STRATEGY = CrawlStrategy()
