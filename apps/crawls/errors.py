"""Why a crawl cannot be made or changed."""

from __future__ import annotations

from apps.schemas.refused import Refused


class CrawlRefused(Refused):
    """A crawl cannot be made or changed like this."""
