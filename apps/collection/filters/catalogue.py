"""The filters, in the order of the screen."""

from __future__ import annotations

from typing import Any

from apps.collection.filters.crawl import CRAWL
from apps.collection.filters.fetched import FETCHED
from apps.collection.filters.filter import Filter
from apps.collection.filters.host import HOST
from apps.collection.filters.http_status import HTTP_STATUS
from apps.collection.filters.label import LABEL
from apps.collection.filters.not_fetched_by import NOT_FETCHED_BY
from apps.collection.filters.role import ROLE
from apps.collection.filters.status import STATUS
from apps.collection.filters.topicality import TOPICALITY
from apps.collection.filters.verdict import VERDICT
from apps.collection.filters.without import WITHOUT

FILTERS: tuple[Filter[Any], ...] = (
    CRAWL,
    NOT_FETCHED_BY,
    VERDICT,
    LABEL,
    HOST,
    ROLE,
    WITHOUT,
    HTTP_STATUS,
    TOPICALITY,
    STATUS,
    FETCHED,
)
