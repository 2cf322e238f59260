"""The filters, in the order of the screen."""

from __future__ import annotations

from typing import Any

from apps.crawls.filters.state import STATE
from apps.crawls.filters.strategy import STRATEGY
from apps.crawls.filters.tag import TAG
from apps.crawls.filters.topic import TOPIC
from apps.search.filter import Filter
from apps.search.list_filters import CrawledWeb

FILTERS: tuple[Filter[Any], ...] = (STATE, TOPIC, STRATEGY, CrawledWeb(), TAG)
