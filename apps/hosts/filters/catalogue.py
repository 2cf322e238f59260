"""The filters, in the order of the screen."""

from __future__ import annotations

from typing import Any

from apps.hosts.filters.language import LANGUAGE
from apps.hosts.filters.make_up import MAKE_UP
from apps.hosts.filters.state import STATE
from apps.hosts.filters.unit import UNIT
from apps.search.filter import Filter

FILTERS: tuple[Filter[Any], ...] = (STATE, UNIT, LANGUAGE, MAKE_UP)
