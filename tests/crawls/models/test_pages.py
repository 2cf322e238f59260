"""Reading the rows of pages."""

from __future__ import annotations

import pytest
from django.db import connection

from apps.crawls.models import Page

pytestmark = pytest.mark.alike  # the plan is SQLite's; PostgreSQL has statistics to choose by


@pytest.mark.django_db
def test_pages_of_some_urls_are_found_without_going_through_the_crawl() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("only SQLite goes through all pages to keep an order that nobody asked for")
    plan = Page.objects.filter(crawl=1).numbered([3, 1_000, 70_000]).explain()
    assert "(crawl_id=? AND number=?)" in plan
