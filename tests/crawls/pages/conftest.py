from __future__ import annotations

from tests.crawl_fixtures import crawl, owner  # noqa: F401
