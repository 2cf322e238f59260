"""Ground truth about a crawl's web, for the measures only."""

from __future__ import annotations

from apps.crawls.models import Crawl
from apps.engine.networking.virtual_web import Web as EngineWeb


def relevant_pages(crawl: Crawl, web: EngineWeb | None) -> int | None:
    """How many pages of a recorded web have the topic's label, or None if that is unknown."""
    label = crawl.topic.web_label
    if web is None or not label:
        return None
    return sum(label in web.labels(url) for url in web.urls())
