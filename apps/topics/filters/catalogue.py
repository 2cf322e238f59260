"""The filters, in the order of the screen."""

from __future__ import annotations

from typing import Any

from apps.search.filter import Filter
from apps.topics.filters.owner import OWNER
from apps.topics.filters.state import STATE
from apps.topics.filters.web import WEB

FILTERS: tuple[Filter[Any], ...] = (STATE, WEB, OWNER)
