"""A crawl with its rows is measured, and the database's part of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import connection

from apps.crawls.models import Crawl
from apps.research.bench.storage.measuring import measured_crawl
from apps.research.bench.storage.server_time import ServerTime

pytestmark = pytest.mark.django_db(transaction=True)


def test_it_counts_pages_their_rows_and_their_cost(data_dir: Path, tmp_path: Path) -> None:
    cost = measured_crawl(tmp_path, 20)
    assert Crawl.objects.get().pages == cost.pages == 20
    assert cost.own > 0 and cost.urls >= 1 and 0 < cost.links <= 1
    assert (cost.server > 0) == (connection.vendor == "postgresql")


def test_the_servers_time_is_that_of_this_database() -> None:
    with ServerTime() as server, connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT count(*) FROM generate_series(1, 300000)")
        else:
            cursor.execute("SELECT 1")
    assert (server.seconds > 0) == (connection.vendor == "postgresql")
