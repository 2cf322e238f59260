"""The models of watches."""

from __future__ import annotations

from apps.watches.models.pages import Observation, PageState, PageVersion, WatchedPage
from apps.watches.models.visits import WatchVisit
from apps.watches.models.watch import Watch

__all__ = ["Observation", "PageState", "PageVersion", "Watch", "WatchVisit", "WatchedPage"]
