"""Patterns that are excluded while a crawl runs."""

from __future__ import annotations

import pytest

from apps.crawls.commands.scope.exclude_pattern import exclude_pattern
from apps.crawls.errors import CrawlRefused
from apps.crawls.schemas import MOST_PATTERNS
from tests.crawl_fixtures import crawl, owner  # noqa: F401


def test_one_more_than_are_allowed_is_refused(crawl) -> None:
    crawl.scope = {"deny_patterns": [f"*/p{number}/*" for number in range(MOST_PATTERNS)]}
    crawl.save()
    with pytest.raises(CrawlRefused, match="up to 1,000 patterns"):
        exclude_pattern(crawl, "*/one-more/*")
