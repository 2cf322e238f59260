"""The pages of a crawl that were rendered."""

from __future__ import annotations

from dataclasses import dataclass

from apps.crawls.models import Crawl
from apps.engine.crawl.fetching.rendering import GAINED, PARTS, RENDERED


@dataclass(frozen=True, slots=True)
class RenderedCounts:
    """The pages that were rendered, those that have a text since with their share of all pages, and
    the requests that rendering took."""

    pages: int
    gained: int
    share: float
    requests: int

    @property
    def per_cent(self) -> str:
        """The share in whole per cent."""
        return f"{100 * self.share:.0f}"


def rendered_counts(crawl: Crawl) -> RenderedCounts | None:
    """The numbers of a crawl; None if none of its pages was rendered."""
    pages, gained, parts = (int(crawl.metrics.get(n) or 0) for n in (RENDERED, GAINED, PARTS))
    if not pages:
        return None
    return RenderedCounts(pages, gained, gained / crawl.pages if crawl.pages else 0.0, parts)
