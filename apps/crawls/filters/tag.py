"""The filter by tag."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Q, QuerySet

from apps.search.filter import Field
from apps.search.json_items import has, item_counts
from apps.search.list_filters import WordValues
from apps.search.values import any_of


class CrawlTag(WordValues):
    """Filters by the tags that people gave the crawl."""

    id = "tag"
    title = "Tag"
    sentence = "Tags of the crawl; one of several is enough."
    unknown = "is not a tag"
    fields = (Field("tag", "Tags."),)
    example = "tag=thesis"
    column = "tags"

    def condition(self, value: tuple[str, ...]) -> Q:
        return any_of(has(self.column, tag) for tag in value)

    def counts(self, rows: QuerySet[Any]) -> Sequence[tuple[str, str, int]]:
        counted = item_counts(rows, self.column, self.offers)
        return [(tag, tag, number) for tag, number in counted]


TAG = CrawlTag()
