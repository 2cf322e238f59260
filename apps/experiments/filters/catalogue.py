"""The filters, in the order of the screen."""

from __future__ import annotations

from typing import Any

from apps.experiments.filters.state import STATE
from apps.search.filter import Filter
from apps.search.list_filters import CrawledWeb

FILTERS: tuple[Filter[Any], ...] = (STATE, CrawledWeb())
