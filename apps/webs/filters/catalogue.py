"""The filters, in the order of the screen."""

from __future__ import annotations

from typing import Any

from apps.search.filter import Filter
from apps.webs.filters.whose import WHOSE

FILTERS: tuple[Filter[Any], ...] = (WHOSE,)
