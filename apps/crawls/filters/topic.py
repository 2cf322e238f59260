"""The filter by topic."""

from __future__ import annotations

from apps.search.filter import Field
from apps.search.list_filters import NumberedValues


class CrawlTopic(NumberedValues):
    """Filters by the topic that is crawled for."""

    id = "topic"
    title = "Topic"
    sentence = "The topic of the crawl."
    unknown = "is not the number of a topic"
    fields = (Field("topic", "Numbers of topics.", list[int]),)
    example = "topic=3"
    column = "topic_id"
    names = "topic__name"


TOPIC = CrawlTopic()
