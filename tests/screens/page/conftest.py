"""A topic with two crawls whose pages are stored."""

from __future__ import annotations

from tests.collection_fixtures import (  # noqa: F401
    crawl,
    other_crawl,
    owner,
    searched_by,
    stranger,
    topic,
)
