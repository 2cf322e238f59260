"""The panel that explains why a page was fetched when it was, or why a link waits where it does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from apps.crawls.explaining.why import why
from apps.crawls.models import Crawl


def context(crawl: Crawl, number: int) -> Mapping[str, Any]:
    """The template context; `why` is None if the crawl has no such URL."""
    return {"crawl": crawl, "why": why(crawl, number)}
