"""A person and a running crawl."""

from __future__ import annotations

from tests.crawl_fixtures import crawl, owner, stranger  # noqa: F401
