"""The filters, in the order of the screen."""

from __future__ import annotations

from typing import Any

from apps.collection.filters.cluster import CLUSTER
from apps.collection.filters.crawl import CRAWL
from apps.collection.filters.fetched import FETCHED
from apps.collection.filters.http_status import HTTP_STATUS
from apps.collection.filters.javascript import JAVASCRIPT
from apps.collection.filters.kind import PAGE_KIND
from apps.collection.filters.label import LABEL
from apps.collection.filters.language import LANGUAGE
from apps.collection.filters.near import NEAR
from apps.collection.filters.not_fetched_by import NOT_FETCHED_BY
from apps.collection.filters.published import PUBLISHED
from apps.collection.filters.reserved import RESERVED
from apps.collection.filters.role import ROLE
from apps.collection.filters.status import STATUS
from apps.collection.filters.topicality import TOPICALITY
from apps.collection.filters.verdict import VERDICT
from apps.collection.filters.watch_state import WATCH_STATE
from apps.collection.filters.without import WITHOUT
from apps.search.filter import Filter
from apps.search.host import HOST

FILTERS: tuple[Filter[Any], ...] = (
    NEAR,
    CRAWL,
    NOT_FETCHED_BY,
    VERDICT,
    LABEL,
    CLUSTER,
    LANGUAGE,
    PUBLISHED,
    PAGE_KIND,
    WATCH_STATE,
    HOST,
    ROLE,
    WITHOUT,
    HTTP_STATUS,
    JAVASCRIPT,
    RESERVED,
    TOPICALITY,
    STATUS,
    FETCHED,
)
